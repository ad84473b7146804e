package io.zarrengine.bench.io;

import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativePath;
import io.zarrengine.uring.Caching;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs the contenders in turns, round by round, so that disturbances of the machine affect all of
 * them; prints medians and ratios as a table.
 *
 * <p>Arguments: the C program, a file of random bytes, rounds, seconds per run; then the wanted
 * rows, such as {@code direct-4}, {@code cold-16} or {@code hot-64}, in KiB.
 */
public final class IoComparison {
    private static final int ROWS_FROM = 4; // of the arguments
    private static final long HOT_BYTES = 1L << 30;
    private static final int DIRECT_DEPTH = 64;
    private static final int HOT_THREADS = 2;
    private static final long HOT_BYTES_IN_FLIGHT = 512 << 10;
    private static final int HOT_DEPTH_MAX = 64;

    private final String program;
    private final Path file;
    private final long fileBytes;
    private final int rounds;
    private final String seconds;

    private IoComparison(String[] arguments) throws IOException {
        program = arguments[0];
        file = Path.of(arguments[1]);
        fileBytes = Files.size(file);
        rounds = Integer.parseInt(arguments[2]);
        seconds = arguments[3];
    }

    /** Runs everything. */
    public static void main(String[] arguments) throws Exception {
        IoComparison comparison = new IoComparison(arguments);
        IO.println("| work | contender | reads/s | GB/s | CPU us | to C | CPU to C | spread |");
        IO.println("| --- | --- | --: | --: | --: | --: | --: | --: |");
        for (String row : List.of(arguments).subList(ROWS_FROM, arguments.length)) {
            comparison.run(row);
        }
    }

    private void run(String row) throws Exception {
        String[] words = row.split("-");
        int bytes = Integer.parseInt(words[1]) << 10;
        switch (words[0]) {
            case "direct" -> direct(bytes);
            case "hot" -> hot(bytes);
            case "cold" -> cold(bytes);
            default -> throw new IllegalArgumentException(row);
        }
    }

    private void direct(int bytes) throws Exception {
        List<IoContender> contenders = new ArrayList<>();
        contenders.add(c("C, liburing", "uring", "direct", bytes, DIRECT_DEPTH, 1, fileBytes));
        contenders.add(
                java("zarr-engine, ring", "uring", "direct", bytes, DIRECT_DEPTH, 1, fileBytes));
        if (isOnThePath("fio")) {
            contenders.add(fio(bytes));
        }
        run(contenders, () -> {});
        print("O_DIRECT " + (bytes >> 10) + " KiB, depth " + DIRECT_DEPTH, bytes, contenders);
    }

    private void hot(int bytes) throws Exception {
        int depth = (int) Math.min(HOT_DEPTH_MAX, HOT_BYTES_IN_FLIGHT / bytes);
        long span = Math.min(HOT_BYTES, fileBytes);
        List<IoContender> contenders =
                List.of(
                        c("C, liburing", "uring", "buffered", bytes, depth, HOT_THREADS, span),
                        c("C, pread", "pread", "buffered", bytes, depth, HOT_THREADS, span),
                        java(
                                "zarr-engine, ring",
                                "uring",
                                "buffered",
                                bytes,
                                depth,
                                HOT_THREADS,
                                span));
        run(contenders, this::readToPageCache);
        print("page cache " + (bytes >> 10) + " KiB, 2 threads", bytes, contenders);
    }

    /**
     * Measures each way to read a file of which nothing, or almost nothing, is in the page cache.
     */
    private void cold(int bytes) throws Exception {
        List<IoContender> contenders = new ArrayList<>();
        for (Caching caching : Caching.values()) {
            String name = caching.name().toLowerCase(Locale.ROOT);
            contenders.add(java(name, "uring", name, bytes, DIRECT_DEPTH, 1, fileBytes));
        }
        run(contenders, this::evict);
        print("cold, " + (bytes >> 10) + " KiB", bytes, contenders);
    }

    /** Prepares the page cache before a run. */
    private interface Preparation {
        void prepare() throws IOException;
    }

    private void run(List<IoContender> contenders, Preparation preparation) throws Exception {
        long seed = System.nanoTime() & 0xffff_ffffL;
        for (int round = 0; round < rounds; round++) {
            for (IoContender contender : contenders) {
                preparation.prepare();
                contender.run(++seed);
            }
        }
    }

    private void evict() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = LibC.newCallState(arena);
            MemorySegment path = NativePath.of(arena, file);
            int descriptor = LibC.open(state, path, LibC.O_RDONLY_CLOEXEC);
            int refused = LibC.posix_fadvise(state, descriptor, 0, 0, LibC.POSIX_FADV_DONTNEED);
            LibC.close(state, descriptor);
            if (refused < 0) {
                throw new IOException(file + " stays in the page cache: " + refused);
            }
        }
    }

    private void readToPageCache() throws IOException {
        byte[] buffer = new byte[1 << 20];
        try (InputStream in = Files.newInputStream(file)) {
            for (long read = 0; read < HOT_BYTES; ) {
                int count = in.read(buffer);
                if (count < 0) {
                    return;
                }
                read += count;
            }
        }
    }

    private static void print(String work, int bytes, List<IoContender> contenders) {
        IoContender base = contenders.getFirst();
        for (IoContender contender : contenders) {
            double rate = contender.medianReadsPerSecond();
            IO.println(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %.0f | %.2f | %.2f | %.2f | %.2f | %.0f %% |",
                            work,
                            contender.name(),
                            rate,
                            rate * bytes / 1e9,
                            contender.medianCpuMicros(),
                            rate / base.medianReadsPerSecond(),
                            contender.medianCpuMicros() / base.medianCpuMicros(),
                            100 * contender.spread()));
        }
    }

    private IoContender c(
            String name, String method, String path, int bytes, int depth, int threads, long span) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(arguments(method, path, bytes, depth, threads, span));
        return new IoContender(name, command);
    }

    private IoContender java(
            String name, String method, String path, int bytes, int depth, int threads, long span) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                RandomReads.class.getName()));
        command.addAll(arguments(method, path, bytes, depth, threads, span));
        return new IoContender(name, command);
    }

    private List<String> arguments(
            String method, String path, int bytes, int depth, int threads, long span) {
        return List.of(
                file.toString(),
                method,
                path,
                Integer.toString(bytes),
                Integer.toString(depth),
                Integer.toString(threads),
                seconds,
                "SEED",
                Long.toString(span));
    }

    private IoContender fio(int bytes) {
        return new IoContender(
                "fio, io_uring",
                List.of(
                        "fio",
                        "--name=random",
                        "--filename=" + file,
                        "--rw=randread",
                        "--bs=" + bytes,
                        "--direct=1",
                        "--ioengine=io_uring",
                        "--fixedbufs=1",
                        "--registerfiles=1",
                        "--iodepth=" + DIRECT_DEPTH,
                        "--iodepth_batch_submit=16",
                        "--iodepth_batch_complete_min=1",
                        "--iodepth_batch_complete_max=" + DIRECT_DEPTH,
                        "--norandommap",
                        "--randseed=SEED",
                        "--time_based",
                        "--ramp_time=0.5",
                        "--runtime=" + seconds,
                        "--size=" + fileBytes,
                        "--output-format=json"));
    }

    private static boolean isOnThePath(String name) {
        return java.util.stream.Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}
