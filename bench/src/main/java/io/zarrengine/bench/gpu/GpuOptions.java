package io.zarrengine.bench.gpu;

import io.zarrengine.bench.Arguments;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Options of a measurement of reads to a GPU.
 *
 * @param folder for arrays
 * @param report folder for results
 * @param workers workers of the engine, and threads of the limits
 * @param budgetMib of the engine's host memory
 * @param planes of the array; each has 16 MiB
 * @param rounds measurements of each read
 * @param seconds of a steady stream
 * @param python the interpreter with TensorStore and CuPy, and their program, if they take part
 * @param encodings the rows
 */
record GpuOptions(
        Path folder,
        Path report,
        int workers,
        int budgetMib,
        int planes,
        int rounds,
        double seconds,
        Optional<List<String>> python,
        List<GpuEncoding> encodings) {
    private static final int PLANES = 64;
    private static final int PLANES_SMOKE = 1;
    private static final int PLANES_MAX = 1 << 20;
    private static final int WORKERS_MAX = 1024;
    private static final int ROUNDS_MAX = 1 << 20;
    private static final double SECONDS_MAX = 3600;
    private static final Set<String> NAMES =
            Set.of(
                    "folder",
                    "report",
                    "workers",
                    "budget-mib",
                    "planes",
                    "rounds",
                    "seconds",
                    "python",
                    "peer",
                    "smoke");

    static GpuOptions parse(List<String> list) {
        Arguments arguments = Arguments.parse(list, NAMES);
        boolean isSmoke = arguments.has("smoke");
        String cores = "" + Runtime.getRuntime().availableProcessors();
        Optional<List<String>> python =
                arguments.has("python") && arguments.has("peer")
                        ? Optional.of(
                                List.of(arguments.get("python", ""), arguments.get("peer", "")))
                        : Optional.empty();
        return new GpuOptions(
                arguments.path("folder"),
                arguments.path("report"),
                whole(arguments, "workers", cores, WORKERS_MAX),
                whole(arguments, "budget-mib", isSmoke ? "64" : "128", Integer.MAX_VALUE),
                whole(arguments, "planes", "" + (isSmoke ? PLANES_SMOKE : PLANES), PLANES_MAX),
                whole(arguments, "rounds", isSmoke ? "1" : "7", ROUNDS_MAX),
                number(
                        arguments,
                        "seconds",
                        isSmoke ? "0.1" : "2",
                        SECONDS_MAX,
                        Double::parseDouble),
                python,
                encodings(arguments.words()));
    }

    private static int whole(Arguments arguments, String name, String otherwise, int max) {
        return (int) number(arguments, name, otherwise, max, Integer::parseInt);
    }

    /** {@return the value of an option: greater than 0, and no greater than {@code max}} */
    private static double number(
            Arguments arguments,
            String name,
            String otherwise,
            double max,
            ToDoubleFunction<String> parser) {
        String text = arguments.get(name, otherwise);
        try {
            double value = parser.applyAsDouble(text);
            if (value > 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--%s=%s".formatted(name, text));
    }

    private static List<GpuEncoding> encodings(List<String> words) {
        List<String> known = Arrays.stream(GpuEncoding.values()).map(GpuEncoding::word).toList();
        for (String word : words) {
            if (!known.contains(word)) {
                throw new IllegalArgumentException("no row is " + word + ": there are " + known);
            }
        }
        return Arrays.stream(GpuEncoding.values())
                .filter(encoding -> words.isEmpty() || words.contains(encoding.word()))
                .toList();
    }

    /** {@return whether the arrays are too small for meaningful numbers} */
    private boolean isSmall() {
        return planes < PLANES;
    }

    int crops() {
        return 32 * planes;
    }

    int limitBatch() {
        return isSmall() ? 64 * planes : 8192;
    }

    int limitSlotBytes() {
        return isSmall() ? 1 << 20 : 4 << 20;
    }

    int limitPasses() {
        return isSmall() ? 2 : 16;
    }
}
