package io.zarrengine.uring.ranges;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadBackend.Method;
import io.zarrengine.uring.plan.FuseRule;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests batches over real files, with each way to read. */
@Timeout(120)
final class RangeReaderTest {
    private static final byte GUARD = (byte) 0xA5;

    @TempDir Path folder;

    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    static Stream<Arguments> waysAndSeeds() {
        return Stream.of(Method.values())
                .flatMap(method ->
                        Stream.of(Caching.values())
                                .flatMap(caching ->
                                        seeds().mapToObj(seed ->
                                                Arguments.of(method, caching, seed))));
    }

    private static RangeReader open(Method method, Caching caching) {
        return RangeReader.open(backend(method), smallOptions().withCaching(caching));
    }

    private static ReadBackend backend(Method method) {
        ReadBackend.unavailabilityCause(method).ifPresent(cause -> assumeTrue(false, cause));
        return ReadBackend.of(method);
    }

    /** Options so small that memory, slots and files run out all the time. */
    private static RangeReaderOptions smallOptions() {
        FuseRule rule = new FuseRule(3000, 40_960, 65_536, 4096);
        RangeReaderOptions all = RangeReaderOptions.defaults().withFuse(rule);
        return new RangeReaderOptions(
                3, 16, 512 << 10, 4, 2, all.recheckAfter(), all.caching(), all.fuse());
    }

    /** A batch of random ranges, and the expected content of its target. */
    private static final class RandomBatch {
        private final ReadBatch batch;
        private final byte[] expected;

        RandomBatch(SplittableRandom random, Path folder, MemorySegment target, byte[][] contents) {
            target.fill(GUARD);
            batch = new ReadBatch(target);
            expected = new byte[(int) target.byteSize()];
            Arrays.fill(expected, GUARD);
            for (int file = 0; file < contents.length; file++) {
                batch.addFile(folder.resolve("file" + file));
            }
            int at = random.nextInt(3);
            while (true) {
                int file = random.nextInt(contents.length);
                int offset = random.nextInt(contents[file].length);
                int longest = random.nextInt(4) == 0 ? 200_000 : 3000;
                int bytes = 1 + random.nextInt(Math.min(longest, contents[file].length - offset));
                if (at + bytes > expected.length) {
                    return;
                }
                batch.add(file, offset, bytes, at);
                System.arraycopy(contents[file], offset, expected, at, bytes);
                at += bytes + random.nextInt(3); // Guard bytes between some.
            }
        }

        void check() {
            assertArrayEquals(expected, batch.target().toArray(JAVA_BYTE));
        }
    }

    private byte[][] writeFiles(SplittableRandom random, int count) throws IOException {
        byte[][] contents = new byte[count][];
        for (int i = 0; i < count; i++) {
            contents[i] = new byte[1 + random.nextInt(400_000)];
            random.nextBytes(contents[i]);
            Files.write(folder.resolve("file" + i), contents[i]);
        }
        return contents;
    }

    @ParameterizedTest(name = "{0}, {1}, seed {2}")
    @MethodSource("waysAndSeeds")
    void everyRangeArrivesAndNothingBeside(Method method, Caching caching, long seed)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (RangeReader reader = open(method, caching);
                Arena arena = Arena.ofShared()) {
            byte[][] contents = writeFiles(random, 5);
            List<RandomBatch> batches = new ArrayList<>();
            List<CompletableFuture<BatchReport>> futures = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MemorySegment target =
                        i == 0 ? MemorySegment.ofArray(new byte[500_000]) : arena.allocate(800_000);
                batches.add(new RandomBatch(random, folder, target, contents));
                futures.add(reader.readAsync(batches.getLast().batch));
            }
            for (int i = 0; i < 3; i++) {
                BatchReport report = futures.get(i).join();
                batches.get(i).check();
                assertEquals(batches.get(i).batch.size(), report.ranges());
                assertTrue(report.readBytes() > 0 && report.reads() > 0, report::toString);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBatchMayBeFilledAndReadAgain(Method method) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});
        try (RangeReader reader = open(method, Caching.BUFFERED)) {
            byte[] target = new byte[2];
            ReadBatch batch = new ReadBatch(MemorySegment.ofArray(target));
            for (int i = 0; i < 100; i++) {
                batch.clear();
                int file = batch.addFile(path);
                batch.add(file, i % 2, 2, 0);
                assertEquals(new BatchReport(1, 1, 2, 2), reader.read(batch));
                assertArrayEquals(new byte[] {(byte) (1 + i % 2), (byte) (2 + i % 2)}, target);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBatchOfNothingEndsAtOnce(Method method) throws Exception {
        try (RangeReader reader = open(method, Caching.BUFFERED)) {
            ReadBatch empty = new ReadBatch(MemorySegment.ofArray(new byte[0]));
            assertEquals(new BatchReport(0, 0, 0, 0), reader.read(empty));
            reader.read(folder.resolve("missing"), 0, MemorySegment.ofArray(new byte[0]));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailureNamesItsRangeAndOtherBatchesGoOn(Method method) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[1000]);
        Path missing = folder.resolve("missing");
        try (RangeReader reader = open(method, Caching.BUFFERED)) {
            byte[] target = new byte[100];
            MemorySegment segment = MemorySegment.ofArray(target);
            RangeReadException notThere =
                    assertThrows(RangeReadException.class, () -> reader.read(missing, 7, segment));
            assertEquals(missing, notThere.path());
            assertInstanceOf(NoSuchFileException.class, notThere.getCause());

            RangeReadException behind =
                    assertThrows(RangeReadException.class, () -> reader.read(path, 950, segment));
            assertEquals(
                    path + " at byte 950, 100 bytes: the file ends at byte 1000",
                    behind.getMessage());
            assertEquals(950, behind.offset());
            assertEquals(100, behind.bytes());

            reader.read(path, 900, segment);
        }
    }

    /** The kernel answers EIO for memory that is not mapped, as for a failing disk. */
    @ParameterizedTest
    @EnumSource
    void aFailingDeviceIsReported(Method method) throws Exception {
        try (RangeReader reader = open(method, Caching.BUFFERED)) {
            MemorySegment target = MemorySegment.ofArray(new byte[100]);
            Path broken = Path.of("/proc/self/mem");
            RangeReadException e =
                    assertThrows(RangeReadException.class, () -> reader.read(broken, 16, target));
            assertEquals(broken + " at byte 16, 100 bytes: EIO", e.getMessage());
        }
    }

    /** After the future has completed, no thread writes to the target, so it may be freed. */
    @ParameterizedTest(name = "{0}, {1}, seed {2}")
    @MethodSource("waysAndSeeds")
    void aCancelledBatchLeavesItsTargetAlone(Method method, Caching caching, long seed)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (RangeReader reader = open(method, caching)) {
            byte[][] contents = writeFiles(random, 4);
            for (int round = 0; round < 4; round++) {
                try (Arena arena = Arena.ofShared()) {
                    MemorySegment target = arena.allocate(1 << 20);
                    RandomBatch batch = new RandomBatch(random, folder, target, contents);
                    CompletableFuture<BatchReport> future = reader.readAsync(batch.batch);
                    if (round % 2 == 0) {
                        Thread.sleep(0, random.nextInt(500_000));
                    }
                    future.cancel(true);
                    try {
                        future.join();
                        batch.check(); // The batch had ended before.
                    } catch (CancellationException e) {
                        target.fill(GUARD);
                        Thread.sleep(1);
                        assertTrue(isFilledWithGuards(target), "written after it had ended");
                    }
                }
            }
            MemorySegment target = MemorySegment.ofArray(new byte[100_000]);
            RandomBatch batch = new RandomBatch(random, folder, target, contents);
            reader.read(batch.batch);
            batch.check();
        }
    }

    private static boolean isFilledWithGuards(MemorySegment target) {
        byte[] guards = new byte[(int) target.byteSize()];
        Arrays.fill(guards, GUARD);
        return MemorySegment.ofArray(guards).mismatch(target) < 0;
    }

    @ParameterizedTest
    @EnumSource
    void closingWithThousandsOfReadsUnderWayEndsThemAll(Method method) throws Exception {
        Files.write(folder.resolve("file"), new byte[1 << 20]);
        for (int round = 0; round < 5; round++) {
            RangeReader reader = open(method, Caching.BUFFERED);
            List<CompletableFuture<BatchReport>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                ReadBatch batch = new ReadBatch(MemorySegment.ofArray(new byte[1 << 20]));
                int file = batch.addFile(folder.resolve("file"));
                for (int range = 0; range < 5000; range++) {
                    batch.add(file, (range * 7919L) % (1 << 20), 1, range);
                }
                futures.add(reader.readAsync(batch));
            }
            reader.close();
            for (CompletableFuture<BatchReport> future : futures) {
                assertTrue(endsWell(future) || future.isCancelled(), "neither read nor cancelled");
            }
            ReadBatch late = new ReadBatch(MemorySegment.ofArray(new byte[1]));
            assertThrows(IllegalStateException.class, () -> reader.readAsync(late));
        }
    }

    /**
     * A refused caller counts as active until its call returns. A worker that checks meanwhile must
     * not sleep forever, because no other thread will wake it.
     */
    @Test
    void closingEndsWhileCallersAreBeingRefused() throws Exception {
        for (int round = 0; round < 20; round++) {
            RangeReader reader = open(Method.FILE_CHANNEL, Caching.BUFFERED);
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch refused = new CountDownLatch(3);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ReadBatch batch = new ReadBatch(MemorySegment.ofArray(new byte[1]));
                callers.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    while (!stop.get()) {
                                        if (isRefused(reader, batch)) {
                                            refused.countDown();
                                        }
                                    }
                                }));
            }
            Thread closing = Thread.ofPlatform().daemon().start(reader::close);
            refused.await();
            closing.join(2); // The workers check often, and so often see a caller.
            stop.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            assertTrue(
                    closing.join(Duration.ofSeconds(20)), "round " + round + " is still closing");
        }
    }

    private static boolean isRefused(RangeReader reader, ReadBatch batch) {
        try {
            reader.readAsync(batch).join();
            return false;
        } catch (CancellationException e) {
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static boolean endsWell(CompletableFuture<BatchReport> future) {
        try {
            future.join();
            return true;
        } catch (CancellationException e) {
            return false;
        }
    }

    /** The kernel writes to the reader's own memory, so this is an exception and no damage. */
    @ParameterizedTest
    @EnumSource
    void aTargetThatItsOwnerClosesTooEarlyFailsItsBatch(Method method) throws Exception {
        byte[][] contents = writeFiles(new SplittableRandom(1), 4);
        try (RangeReader reader = open(method, Caching.BUFFERED)) {
            for (int round = 0; round < 10; round++) {
                CompletableFuture<BatchReport> future;
                try (Arena arena = Arena.ofShared()) {
                    MemorySegment target = arena.allocate(8 << 20);
                    future =
                            reader.readAsync(
                                    new RandomBatch(
                                                    new SplittableRandom(round),
                                                    folder,
                                                    target,
                                                    contents)
                                            .batch);
                }
                try {
                    future.join();
                } catch (CompletionException e) {
                    assertInstanceOf(IllegalStateException.class, e.getCause());
                }
            }
            reader.read(folder.resolve("file0"), 0, MemorySegment.ofArray(new byte[1]));
        }
    }

    @Test
    void whatCannotBeReadIsRefusedBeforeItIsBegun() throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[1000]);
        try (RangeReader reader = open(Method.FILE_CHANNEL, Caching.BUFFERED);
                Arena mine = Arena.ofConfined()) {
            ReadBatch confined = new ReadBatch(mine.allocate(10));
            assertThrows(IllegalArgumentException.class, () -> reader.readAsync(confined));
            MemorySegment target = MemorySegment.ofArray(new byte[10]);
            assertThrows(IllegalArgumentException.class, () -> new ReadBatch(target.asReadOnly()));
            ReadBatch batch = new ReadBatch(target);
            int file = batch.addFile(path);
            assertThrows(IllegalArgumentException.class, () -> batch.add(file, 0, 11, 0));
            assertThrows(IllegalArgumentException.class, () -> batch.add(file, 0, 1, 10));
            assertThrows(IllegalArgumentException.class, () -> batch.add(file, 0, 1, -1));
            assertThrows(IllegalArgumentException.class, () -> batch.add(1, 0, 1, 0));
            batch.begin(FuseRule.BUFFERED);
            assertThrows(IllegalStateException.class, () -> batch.add(file, 0, 1, 0));
            assertThrows(IllegalStateException.class, () -> reader.readAsync(batch));
            batch.end();
            assertEquals(0, batch.size());
        }
    }

    /** A few direct reads wait for the device, so a gap of 32 KiB costs less than a second read. */
    @ParameterizedTest(name = "{0}, {1} ranges: {2} reads")
    @CsvSource({"BUFFERED, 2, 2", "DIRECT, 2, 1", "DIRECT, 4, 4"})
    void fewDirectReadsAreFusedOverWiderGaps(Caching caching, int ranges, int reads)
            throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[200_000]);
        RangeReaderOptions options =
                RangeReaderOptions.defaults().withThreads(1).withCaching(caching);
        try (RangeReader reader = RangeReader.open(ReadBackend.of(Method.FILE_CHANNEL), options)) {
            ReadBatch batch = new ReadBatch(MemorySegment.ofArray(new byte[100]));
            int file = batch.addFile(path);
            for (int i = 0; i < ranges; i++) {
                batch.add(file, i * 36_000L, 10, i * 10L);
            }
            assertEquals(reads, reader.read(batch).reads());
        }
    }

    /** No other thread is needed: the future is complete when the call returns. */
    @Test
    void aRangeInThePageCacheIsReadByItsCaller() throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {1, 2, 3, 4});
        try (RangeReader reader = open(Method.IO_URING, Caching.BUFFERED);
                Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(2);
            reader.read(path, 1, target); // On any file system the range is cached now.
            CompletableFuture<BatchReport> future = reader.readAsync(path, 2, target);
            assumeTrue(future.isDone(), "this file system does not read without waiting");
            assertArrayEquals(new byte[] {3, 4}, target.toArray(JAVA_BYTE));
            assertThrows(RangeReadException.class, () -> reader.read(path, 3, target));
        }
    }

    @Test
    void inlineReadsStopAfterMissesAndComeBackWithHits() {
        InlineReads inline = new InlineReads();
        assertTrue(inline.isWorthATry(InlineReads.BYTES_MAX));
        assertTrue(!inline.isWorthATry(InlineReads.BYTES_MAX + 1));
        for (int i = 0; i < 8; i++) {
            assertTrue(inline.isWorthATry(1));
            inline.missed();
        }
        int tries = 0;
        for (int i = 0; i < 320; i++) {
            tries += inline.isWorthATry(1) ? 1 : 0;
        }
        assertEquals(10, tries);
        inline.hit();
        assertTrue(inline.isWorthATry(1));
    }
}
