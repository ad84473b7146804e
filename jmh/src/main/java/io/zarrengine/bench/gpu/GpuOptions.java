package io.zarrengine.bench.gpu;

import io.zarrengine.bench.Arguments;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How reads to a GPU are measured.
 *
 * @param folder for arrays
 * @param report folder for results
 * @param workers of the engine, and threads of the limits
 * @param budgetMib of the engine's host memory
 * @param planes of the array; each has 16 MiB
 * @param rounds how often a read is measured
 * @param seconds of a steady stream
 * @param python with TensorStore and CuPy, and their program, if they shall take part
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
                Integer.parseInt(arguments.get("workers", cores)),
                Integer.parseInt(arguments.get("budget-mib", isSmoke ? "64" : "128")),
                Integer.parseInt(arguments.get("planes", "" + (isSmoke ? PLANES_SMOKE : PLANES))),
                Integer.parseInt(arguments.get("rounds", isSmoke ? "1" : "7")),
                Double.parseDouble(arguments.get("seconds", isSmoke ? "0.1" : "2")),
                python,
                encodings(arguments.words()));
    }

    private static List<GpuEncoding> encodings(List<String> words) {
        List<GpuEncoding> wanted =
                Arrays.stream(GpuEncoding.values())
                        .filter(encoding -> words.isEmpty() || words.contains(encoding.word()))
                        .toList();
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException(
                    "no row is one of "
                            + words
                            + ": there are "
                            + Arrays.stream(GpuEncoding.values()).map(GpuEncoding::word).toList());
        }
        return wanted;
    }

    /** {@return whether the arrays are so small that numbers mean nothing} */
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
