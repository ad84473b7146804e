package io.zarrengine.uring.ranges;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadBackend.Method;
import io.zarrengine.uring.plan.FuseRule;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Reads for minutes under random faults: reads fail, workers die, batches are cancelled, targets
 * are closed too early, files are truncated, grow, are replaced and vanish, and readers are closed
 * during all of this. {@code bin/soak} runs it.
 *
 * <p>The byte at a position of a file depends only on file and position, so bytes read from any
 * version can be checked. Guard bytes lie between the ranges of a target. After each round there
 * must be no more descriptors, threads and mappings than after the first rounds.
 */
final class Soak {
    private static final byte GUARD = (byte) 0xA5;
    private static final int FILES = 12;
    private static final int FILE_BYTES = 600_000;
    private static final int CLIENTS = 6;
    private static final int WARM_UP_ROUNDS = 3;
    private static final Duration ROUND = Duration.ofMillis(300);

    /** Longest time of a round; a longer one hangs. */
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(45);

    private final Path folder;
    private final long seed;
    private final byte[][] contents = new byte[FILES][FILE_BYTES];
    private final Map<String, Integer> outcomes = new TreeMap<>(); // thread-safe
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    private Soak(Path folder, long seed) {
        this.folder = folder;
        this.seed = seed;
    }

    /** Arguments: seconds, seed. */
    public static void main(String[] arguments) throws Exception {
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
        IO.println("seed " + seed);
        IO.println(run(Duration.ofSeconds(Long.parseLong(arguments[0])), seed));
    }

    /** Returns the events, one line each; throws at the first forbidden one. */
    static String run(Duration duration, long seed) throws Exception {
        Path folder = Files.createTempDirectory("zarr-engine-soak");
        try {
            return new Soak(folder, seed).rounds(duration);
        } finally {
            deleteAll(folder);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private String rounds(Duration duration) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int file = 0; file < FILES; file++) {
            random.nextBytes(contents[file]);
            writeFile(file, FILE_BYTES);
        }
        long deadline = System.nanoTime() + duration.toNanos();
        Held first = null;
        Held last;
        int round = 0;
        do {
            withinLimit(random.split());
            Throwable failure = wrong.get();
            if (failure != null) {
                throw new AssertionError("seed " + seed + ", round " + round, failure);
            }
            last = Held.now();
            if (++round == WARM_UP_ROUNDS) {
                first = last;
            }
        } while (first == null || System.nanoTime() < deadline);
        last.checkAgainst(first);
        return round
                + " rounds\n"
                + outcomes
                + "\nafter the first rounds: "
                + first
                + "\nat the end: "
                + last;
    }

    /**
     * Runs a round on another thread, because a round that hangs in {@code close} cannot be
     * interrupted.
     */
    private void withinLimit(SplittableRandom random) throws InterruptedException {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("soak-round")
                        .start(() -> {
                            try {
                                round(random);
                            } catch (IOException
                                    | InterruptedException
                                    | RuntimeException
                                    | Error e) {
                                wrong.compareAndSet(null, e);
                            }
                        });
        if (!thread.join(ROUND_LIMIT)) {
            wrong.compareAndSet(null, new AssertionError("hangs\n" + stacks()));
        }
    }

    /** Returns the stacks of platform threads, which the reader's threads are. */
    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces()
                .forEach((thread, frames) -> {
                    text.append(thread).append('\n');
                    for (StackTraceElement frame : frames) {
                        text.append("    at ").append(frame).append('\n');
                    }
                });
        return text.toString();
    }

    private void round(SplittableRandom random) throws IOException, InterruptedException {
        List<Method> methods =
                Stream.of(Method.values())
                        .filter(m -> ReadBackend.unavailabilityCause(m).isEmpty())
                        .toList();
        Method method = methods.get(random.nextInt(methods.size()));
        List<Caching> cachings = List.of(Caching.values());
        Caching caching = cachings.get(random.nextInt(cachings.size()));
        ReadBackend backend = ReadBackend.of(method);
        boolean mortal = random.nextInt(3) == 0;
        RangeReader reader =
                RangeReader.open(
                        backend,
                        options(random, caching),
                        (capacity, memory) ->
                                new FaultyQueue(
                                        backend.newQueue(capacity, memory),
                                        new FaultyQueue.RandomFaults(
                                                new SplittableRandom(System.nanoTime()),
                                                0.0002,
                                                mortal ? 0.0005 : 0)));
        List<Thread> clients = new ArrayList<>();
        long end = System.nanoTime() + ROUND.toNanos();
        for (int i = 0; i < CLIENTS; i++) {
            SplittableRandom mine = random.split();
            clients.add(Thread.ofVirtual().start(() -> readUntil(end, reader, mine)));
        }
        clients.add(Thread.ofVirtual().start(() -> spoilFilesUntil(end, random.split())));
        if (random.nextBoolean()) {
            Thread.sleep(random.nextInt((int) ROUND.toMillis()));
            reader.close(); // With batches in progress.
        }
        for (Thread client : clients) {
            client.join();
        }
        reader.close();
    }

    private static RangeReaderOptions options(SplittableRandom random, Caching caching) {
        FuseRule rule = new FuseRule(random.nextInt(9000), 65_536, 131_072, 4096);
        return new RangeReaderOptions(
                1 + random.nextInt(4),
                1 + random.nextInt(64),
                1 << 20,
                1 + random.nextInt(8),
                1 + random.nextInt(FILES),
                Duration.ofMillis(random.nextInt(3)),
                caching,
                java.util.Optional.of(rule));
    }

    private void readUntil(long end, RangeReader reader, SplittableRandom random) {
        try {
            while (System.nanoTime() < end && wrong.get() == null) {
                readOneBatch(reader, random);
            }
        } catch (IllegalStateException e) {
            count("reader closed"); // Refused before anything began.
        } catch (InterruptedException | RuntimeException | Error e) {
            wrong.compareAndSet(null, e);
        }
    }

    private record Range(int file, int offset, int bytes, int targetOffset) {}

    @SuppressWarnings("try") // Closes its arena too early, on purpose.
    private void readOneBatch(RangeReader reader, SplittableRandom random)
            throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            int bytes = 1 + random.nextInt(400_000);
            MemorySegment target =
                    random.nextInt(4) == 0
                            ? MemorySegment.ofArray(new byte[bytes])
                            : arena.allocate(bytes);
            target.fill(GUARD);
            ReadBatch batch = new ReadBatch(target);
            List<Range> ranges = fill(batch, random);
            CompletableFuture<BatchReport> future = reader.readAsync(batch);
            int fate = random.nextInt(12);
            if (fate == 0 && target.isNative()) {
                arena.close(); // Too early: the caller's bug must do no harm.
                count(outcome(future));
                throw new ArenaClosed();
            }
            if (fate <= 3) {
                if (fate > 1) {
                    Thread.sleep(0, random.nextInt(300_000));
                }
                future.cancel(true);
            }
            String outcome = outcome(future);
            count(outcome);
            if (outcome.equals("read")) {
                check(target, ranges);
            } else {
                target.fill(GUARD); // The target is ours again: a later write is detected.
                Thread.sleep(1);
                check(target, List.of());
            }
        } catch (ArenaClosed e) {
            return;
        } catch (IllegalStateException e) {
            if (!"Already closed".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    /** Leaves the block whose arena was closed on purpose. */
    private static final class ArenaClosed extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        ArenaClosed() {
            super("Already closed");
        }
    }

    private List<Range> fill(ReadBatch batch, SplittableRandom random) {
        for (int file = 0; file < FILES; file++) {
            batch.addFile(folder.resolve("file" + file));
        }
        List<Range> ranges = new ArrayList<>();
        int at = random.nextInt(8);
        int longest = random.nextInt(5) == 0 ? 300_000 : 4000;
        while (true) {
            int bytes = 1 + random.nextInt(longest);
            if (at + bytes > batch.target().byteSize()) {
                return ranges;
            }
            // Few ranges reach into the part of a file that is cut off.
            int end = random.nextInt(500) == 0 ? FILE_BYTES : FILE_BYTES / 2 + 1;
            int offset = random.nextInt(Math.max(1, end - bytes));
            Range range = new Range(random.nextInt(FILES), offset, bytes, at);
            batch.add(range.file, range.offset, range.bytes, range.targetOffset);
            ranges.add(range);
            at += bytes + 1 + random.nextInt(8);
        }
    }

    private void check(MemorySegment target, List<Range> ranges) {
        byte[] expected = new byte[(int) target.byteSize()];
        java.util.Arrays.fill(expected, GUARD);
        for (Range r : ranges) {
            System.arraycopy(contents[r.file], r.offset, expected, r.targetOffset, r.bytes);
        }
        int mismatch = java.util.Arrays.mismatch(expected, target.toArray(JAVA_BYTE));
        if (mismatch >= 0) {
            throw new AssertionError("wrong byte " + mismatch + " of " + expected.length);
        }
    }

    private static String outcome(CompletableFuture<BatchReport> future) {
        try {
            future.join();
            return "read";
        } catch (CancellationException e) {
            return "cancelled";
        } catch (CompletionException e) {
            return switch (e.getCause()) {
                case RangeReadException failure when failure.getMessage().endsWith("EIO") -> "EIO";
                case RangeReadException failure
                        when failure.getMessage().contains("the file ends") ->
                        "end of file";
                case RangeReadException failure when failure.getMessage().contains("NoSuchFile") ->
                        "no such file";
                case IllegalStateException failure -> "target closed";
                case IOException failure when failure.getMessage().startsWith("the thread") ->
                        "worker died";
                case IOException failure when failure.getMessage().startsWith("all threads") ->
                        "all workers died";
                default -> throw new AssertionError("an outcome that is not expected", e);
            };
        }
    }

    private void count(String outcome) {
        synchronized (outcomes) {
            outcomes.merge(outcome, 1, Integer::sum);
        }
    }

    private void spoilFilesUntil(long end, SplittableRandom random) {
        try {
            while (System.nanoTime() < end) {
                int file = random.nextInt(FILES);
                switch (random.nextInt(8)) {
                    case 0 -> resize(file, FILE_BYTES / 2 + random.nextInt(FILE_BYTES / 2));
                    case 1 -> Files.deleteIfExists(folder.resolve("file" + file));
                    default -> {
                        writeFile(FILES, 0);
                        writeFile(file, FILE_BYTES);
                    }
                }
                Thread.sleep(2);
            }
            for (int file = 0; file < FILES; file++) {
                writeFile(file, FILE_BYTES);
            }
        } catch (IOException | InterruptedException e) {
            wrong.compareAndSet(null, e);
        }
    }

    private void resize(int file, int bytes) throws IOException {
        Path path = folder.resolve("file" + file);
        if (!Files.exists(path)) {
            return;
        }
        try (RandomAccessFile cut = new RandomAccessFile(path.toFile(), "rw")) {
            // Never longer, because that would add zeros.
            cut.setLength(Math.min(bytes, cut.length()));
        }
    }

    /** Moves a new version into place. */
    private void writeFile(int file, int bytes) throws IOException {
        if (file == FILES) {
            return;
        }
        byte[] content = java.util.Arrays.copyOf(contents[file], bytes);
        Path part = Files.write(folder.resolve("part" + file), content);
        Files.move(part, folder.resolve("file" + file), StandardCopyOption.REPLACE_EXISTING);
    }

    /** The operating system's resources held by the process. */
    private record Held(long descriptors, long threads, long mappings, long residentMebibytes) {
        /** Allowed growth: the JVM's own threads, compiled code and heap vary. */
        private static final int SLACK = 12;

        private static final int MAPPINGS_SLACK = 150;
        private static final int MEBIBYTES_SLACK = 300;

        static Held now() throws IOException, InterruptedException {
            Thread.sleep(20); // Ended threads leave the list a little later.
            return new Held(
                    count("/proc/self/fd"),
                    count("/proc/self/task"),
                    Files.readAllLines(Path.of("/proc/self/maps")).size(),
                    Files.readAllLines(Path.of("/proc/self/status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
                            .sum());
        }

        private static long count(String folder) throws IOException {
            try (Stream<Path> entries = Files.list(Path.of(folder))) {
                return entries.count();
            }
        }

        void checkAgainst(Held before) {
            if (descriptors > before.descriptors + SLACK
                    || threads > before.threads + SLACK
                    || mappings > before.mappings + MAPPINGS_SLACK
                    || residentMebibytes > before.residentMebibytes + MEBIBYTES_SLACK) {
                throw new AssertionError("leaked: " + before + " before, " + this + " after");
            }
        }
    }
}
