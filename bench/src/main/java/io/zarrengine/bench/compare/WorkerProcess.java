package io.zarrengine.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A contender in its own process. It measures its own time, so commands and answers cost nothing.
 *
 * <p>One command a line, one answer a line, words separated by tabs. An answer begins with {@code
 * ok}, or is {@code error} and a message. Other lines are shown to the user.
 *
 * <pre>
 * open NAME PATH CROPS OPTION...   ok
 * close NAME                       ok
 * write NAME CROPS FILE            ok, the crops' elements are in a file, one after another
 * run NAME SECONDS CROPS           ok BYTES SECONDS CPU_SECONDS
 * latency NAME COUNT               ok MEDIAN_MICROSECONDS P99_MICROSECONDS
 * version                          ok TEXT
 * evict NAME                       ok, of the C program: the array has left the page cache
 * counters NAME                    ok READS BYTES_READ ENCODED DELIVERED CHUNKS, of the engine
 * requests NAME                    ok REQUESTS RETRIES, of the engine to a server so far
 * memory                           ok BYTES HEAP_BYTES, of the engine: peaks so far, resident
 *                                  and on the heap
 * </pre>
 *
 * CROPS is a number of crops from the first on, 0 for all. {@code run} reads them once, and again
 * until SECONDS have passed; {@code latency} reads COUNT crops one at a time; {@code counters}
 * reads all once.
 *
 * <p>Owner: the comparison. Threads: one.
 */
final class WorkerProcess implements AutoCloseable {
    private static final long END_SECONDS = 20;

    private final String program;
    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;

    /** The result of {@code run}. */
    record Run(double bytes, double seconds, double cpuSeconds) {
        double gigabytesPerSecond() {
            return bytes / seconds / 1e9;
        }
    }

    /** The result of {@code latency}. */
    record Latency(double medianMicros, double p99Micros) {}

    private WorkerProcess(String program, Process process) {
        this.program = program;
        this.process = process;
        answers = process.inputReader(StandardCharsets.UTF_8);
        commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** The peak memory of a process so far: in total, and on the heap. */
    record Memory(long residentBytes, long heapBytes) {}

    /** Requests of the engine to a server so far, and those that repeated a failed one. */
    record Requests(long requests, long retries) {}

    static WorkerProcess start(List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new WorkerProcess(command.getLast(), process);
    }

    void open(String name, Path array, Path crops, List<String> options) throws IOException {
        List<String> words = new ArrayList<>(List.of("open", name, "" + array, "" + crops));
        words.addAll(options);
        ask(words);
    }

    void close(String name) throws IOException {
        ask(List.of("close", name));
    }

    void write(String name, int crops, Path file) throws IOException {
        ask(List.of("write", name, "" + crops, "" + file));
    }

    Run run(String name, double seconds, int crops) throws IOException {
        double[] numbers = numbers(ask(List.of("run", name, "" + seconds, "" + crops)));
        return new Run(numbers[0], numbers[1], numbers[2]);
    }

    Latency latency(String name, int count) throws IOException {
        double[] numbers = numbers(ask(List.of("latency", name, "" + count)));
        return new Latency(numbers[0], numbers[1]);
    }

    void evict(String name) throws IOException {
        ask(List.of("evict", name));
    }

    Memory peakMemory() throws IOException {
        List<String> answer = ask(List.of("memory"));
        return new Memory(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)));
    }

    Requests requests(String name) throws IOException {
        List<String> answer = ask(List.of("requests", name));
        return new Requests(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)));
    }

    EngineCounters counters(String name) throws IOException {
        List<Long> counts = ask(List.of("counters", name)).stream().map(Long::parseLong).toList();
        return new EngineCounters(
                counts.get(0), counts.get(1), counts.get(2), counts.get(3), counts.get(4));
    }

    String version() throws IOException {
        return ask(List.of("version")).getFirst();
    }

    private static double[] numbers(List<String> words) {
        return words.stream().mapToDouble(Double::parseDouble).toArray();
    }

    private List<String> ask(List<String> words) throws IOException {
        commands.write(String.join("\t", words) + "\n");
        commands.flush();
        while (true) {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException(program + " ended at " + words);
            }
            String[] answer = line.split("\t", -1);
            switch (answer[0]) {
                case "ok" -> {
                    return Arrays.asList(answer).subList(1, answer.length);
                }
                case "error" -> throw new WorkerException(program + ", " + words, line);
                default -> IO.println(line); // for example of a profiler in the process
            }
        }
    }

    /** Ends the worker by ending its commands. It may write a recording before it ends. */
    @Override
    public void close() throws IOException {
        commands.close();
        answers.close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
