package io.zarrengine.bench.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    static GpuOptions parse(List<String> arguments) {
        Map<String, String> named = new HashMap<>();
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.startsWith("--")) {
                String[] parts = argument.substring(2).split("=", 2);
                named.put(parts[0], parts.length == 1 ? "" : parts[1]);
            } else {
                words.add(argument);
            }
        }
        boolean isSmoke = named.containsKey("smoke");
        String cores = "" + Runtime.getRuntime().availableProcessors();
        Optional<List<String>> python =
                named.containsKey("python") && named.containsKey("peer")
                        ? Optional.of(List.of(named.get("python"), named.get("peer")))
                        : Optional.empty();
        return new GpuOptions(
                path(named, "folder"),
                path(named, "report"),
                Integer.parseInt(named.getOrDefault("workers", cores)),
                Integer.parseInt(named.getOrDefault("budget-mib", isSmoke ? "64" : "128")),
                number(named, "planes", isSmoke ? PLANES_SMOKE : PLANES),
                number(named, "rounds", isSmoke ? 1 : 7),
                Double.parseDouble(named.getOrDefault("seconds", isSmoke ? "0.1" : "2")),
                python,
                encodings(words));
    }

    private static int number(Map<String, String> named, String name, int otherwise) {
        return Integer.parseInt(named.getOrDefault(name, "" + otherwise));
    }

    private static Path path(Map<String, String> named, String name) {
        if (!named.containsKey(name)) {
            throw new IllegalArgumentException("--" + name + "= is missing");
        }
        return Path.of(named.get(name));
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
