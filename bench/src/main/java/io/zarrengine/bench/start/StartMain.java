package io.zarrengine.bench.start;

import io.zarrengine.bench.Arguments;
import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.compare.ArrayGenerator;
import io.zarrengine.bench.compare.MarkdownTable;
import io.zarrengine.bench.compare.Median;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Starts new processes in turns and prints medians: a program that embeds the engine, as it is,
 * with C1 alone and with an ahead-of-time cache; then the commands. All files are in the page
 * cache.
 */
public final class StartMain {
    private static final List<String> C1 = List.of("-XX:TieredStopAtLevel=1");

    private final int rounds;
    private final Path array;
    private final List<String> java;

    private StartMain(int rounds, Path array, String classPath) {
        this.rounds = rounds;
        this.array = array;
        java =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath);
    }

    /**
     * Runs: {@code --folder=} of the arrays, or {@code --array=}, one of the rows sat, {@code
     * --class-path=} of the program, {@code --rounds=}, then the commands to start.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Arguments parsed =
                Arguments.parse(
                        List.of(arguments), Set.of("folder", "array", "class-path", "rounds"));
        Path array =
                parsed.has("array")
                        ? parsed.path("array")
                        : ArrayGenerator.made(parsed.path("folder"), BenchArray.SAT_ZSTD);
        int rounds = Integer.parseInt(parsed.get("rounds", "21"));
        StartMain start = new StartMain(rounds, array, parsed.get("class-path", ""));
        Path made = Files.createTempFile("zarr-engine-start", ".raw");
        try {
            start.programs(made);
            start.commands(parsed.words(), made);
        } finally {
            Files.delete(made);
        }
    }

    private void programs(Path cache) throws IOException, InterruptedException {
        run(
                program(List.of("-XX:AOTCacheOutput=" + cache)),
                Redirect.DISCARD); // It names its options.
        Map<String, List<String>> ways = new LinkedHashMap<>();
        ways.put("java -cp", List.of());
        ways.put("with C1 alone", C1);
        ways.put("with an AOT cache", List.of("-XX:AOTCache=" + cache));
        Map<String, List<List<Double>>> samples = new LinkedHashMap<>();
        for (int round = -1; round < rounds; round++) { // the first fills the page cache
            for (Map.Entry<String, List<String>> way : ways.entrySet()) {
                List<Double> line =
                        Stream.of(run(program(way.getValue()), Redirect.INHERIT).split(" "))
                                .map(Double::valueOf)
                                .toList();
                if (round >= 0) {
                    samples.computeIfAbsent(way.getKey(), _ -> new ArrayList<>()).add(line);
                }
            }
        }
        IO.println("| a program, s | " + String.join(" | ", FirstRead.COLUMNS) + " |");
        IO.println("| --- |" + " --: |".repeat(FirstRead.COLUMNS.size()));
        samples.forEach((way, lines) -> IO.println("| " + way + " |" + medians(lines)));
    }

    private static String medians(List<List<Double>> lines) {
        StringBuilder cells = new StringBuilder();
        for (int i = 0; i < FirstRead.COLUMNS.size(); i++) {
            int column = i;
            double median = Median.of(lines.stream().mapToDouble(line -> line.get(column)));
            cells.append(' ').append(MarkdownTable.number(median)).append(" |");
        }
        return cells.toString();
    }

    private void commands(List<String> commands, Path output)
            throws IOException, InterruptedException {
        IO.println("\n| a command, s from its start to its end | info | read of a crop |");
        IO.println("| --- | --: | --: |");
        for (String command : commands) {
            List<Double> info = new ArrayList<>();
            List<Double> read = new ArrayList<>();
            for (int round = -1; round < rounds; round++) {
                double first = wall(List.of(command, "info", array.toString()));
                double second =
                        wall(
                                List.of(
                                        command,
                                        "read",
                                        array.toString(),
                                        "--slice",
                                        "0:4,:128,:128,:",
                                        "--output=" + output));
                if (round >= 0) {
                    info.add(first);
                    read.add(second);
                }
            }
            IO.println(
                    "| %s | %s | %s |"
                            .formatted(
                                    command,
                                    MarkdownTable.number(Median.of(info)),
                                    MarkdownTable.number(Median.of(read))));
        }
    }

    private List<String> program(List<String> options) {
        List<String> command = new ArrayList<>(java);
        command.addAll(options);
        command.add(FirstRead.class.getName());
        command.add(array.toString());
        return command;
    }

    private static double wall(List<String> command) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        run(command, Redirect.INHERIT);
        return (System.nanoTime() - begin) / 1e9;
    }

    /** {@return the last line that a process printed} */
    private static String run(List<String> command, Redirect errors)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectError(errors).start();
        String last = "";
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line;
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
        }
        return last;
    }
}
