package io.zarrengine.bench.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that does a piece of work, and the results of its runs.
 *
 * <p>Each run is a separate process.
 */
final class IoContender {
    private static final Pattern OURS = Pattern.compile("([0-9]+) reads/s, ([0-9.]+) us CPU each");
    private static final Pattern FIO_RATE = Pattern.compile("\"iops\" : ([0-9.]+)");
    private static final Pattern FIO_USER = Pattern.compile("\"usr_cpu\" : ([0-9.]+)");
    private static final Pattern FIO_SYSTEM = Pattern.compile("\"sys_cpu\" : ([0-9.]+)");

    private final String name;
    private final List<String> command;
    private final List<Double> readsPerSecond = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>();

    IoContender(String name, List<String> command) {
        this.name = name;
        this.command = command;
    }

    String name() {
        return name;
    }

    /** Runs once, with other offsets than the last time. */
    void run(long seed) throws IOException, InterruptedException {
        List<String> line =
                command.stream().map(word -> word.replace("SEED", Long.toString(seed))).toList();
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher ours = OURS.matcher(output);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", line) + ": " + output);
        }
        if (ours.find()) {
            add(Double.parseDouble(ours.group(1)), Double.parseDouble(ours.group(2)));
        } else {
            double rate = number(FIO_RATE, output);
            double percent = number(FIO_USER, output) + number(FIO_SYSTEM, output);
            add(rate, percent / 100 * 1e6 / rate);
        }
    }

    private void add(double rate, double micros) {
        readsPerSecond.add(rate);
        cpuMicros.add(micros);
    }

    private static double number(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("not understood: " + output);
        }
        return Double.parseDouble(matcher.group(1));
    }

    double medianReadsPerSecond() {
        return median(readsPerSecond);
    }

    double medianCpuMicros() {
        return median(cpuMicros);
    }

    /** Returns the distance between the fastest and the slowest run, as a share of the median. */
    double spread() {
        double max = readsPerSecond.stream().mapToDouble(d -> d).max().orElse(0);
        double min = readsPerSecond.stream().mapToDouble(d -> d).min().orElse(0);
        return (max - min) / medianReadsPerSecond();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
