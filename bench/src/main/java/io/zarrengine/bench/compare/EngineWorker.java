package io.zarrengine.bench.compare;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the engine as a worker, see {@link WorkerProcess}. */
public final class EngineWorker {
    private final Map<String, EngineReader> readers = new HashMap<>();

    private EngineWorker() {}

    /** Answers until there are no more commands. */
    public static void main(String[] arguments) throws IOException {
        EngineWorker worker = new EngineWorker();
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            IO.println(worker.answerOrError(line.split("\t", -1)));
        }
        worker.readers.values().forEach(EngineReader::close);
    }

    /** Answers a command. The comparison shows any error of a read. */
    private String answerOrError(String[] words) {
        try {
            return answer(words);
        } catch (RuntimeException | IOException e) {
            return "error\t" + e.toString().replaceAll("\\s+", " ");
        }
    }

    private String answer(String[] words) throws IOException {
        return switch (words[0]) {
            case "open" -> open(words);
            case "close" -> {
                readers.remove(words[1]).close();
                yield "ok";
            }
            case "write" -> {
                reader(words).write(Integer.parseInt(words[2]), Path.of(words[3]));
                yield "ok";
            }
            case "run" ->
                    row(
                            reader(words)
                                    .run(Double.parseDouble(words[2]), Integer.parseInt(words[3])));
            case "latency" -> {
                double[] micros = reader(words).latencyMicros(Integer.parseInt(words[2]));
                yield "ok\t" + micros[micros.length / 2] + "\t" + micros[micros.length * 99 / 100];
            }
            case "counters" -> row(reader(words).counters());
            case "requests" -> {
                RequestMetrics sent = reader(words).requests();
                yield "ok\t" + sent.requests() + "\t" + sent.retries();
            }
            case "memory" -> "ok\t" + peakResidentBytes() + "\t" + peakHeapBytes();
            case "version" -> "ok\tzarr-engine, Java " + Runtime.version();
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private String open(String[] words) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String option : List.of(words).subList(4, words.length)) {
            int equals = option.indexOf('=');
            options.put(option.substring(0, equals), option.substring(equals + 1));
        }
        readers.put(
                words[1],
                new EngineReader(
                        Path.of(words[2]), Files.readAllLines(Path.of(words[3])), options));
        return "ok";
    }

    private EngineReader reader(String[] words) {
        return readers.get(words[1]);
    }

    private static String row(WorkerProcess.Run run) {
        return "ok\t" + run.bytes() + "\t" + run.seconds() + "\t" + run.cpuSeconds();
    }

    private static String row(EngineCounters counters) {
        return String.join(
                "\t",
                "ok",
                "" + counters.reads(),
                "" + counters.bytesRead(),
                "" + counters.bytesEncoded(),
                "" + counters.bytesDelivered(),
                "" + counters.chunks());
    }

    private static long peakHeapBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
    }

    /** Returns VmHWM of proc_pid_status(5), which is in kB. */
    private static long peakResidentBytes() throws IOException {
        String line =
                Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(row -> row.startsWith("VmHWM:"))
                        .findFirst()
                        .orElseThrow();
        return 1024
                * Arrays.stream(line.split("\\D+"))
                        .filter(word -> !word.isEmpty())
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElseThrow();
    }
}
