package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.Errno;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every way to read, on real files. */
@Timeout(120)
interface ReadQueueContract {
    int CAPACITY = 16;
    byte GUARD = (byte) 0xA5;

    ReadBackend backend();

    /** Returns two fixed seeds, then a new one; {@code -Dio.zarrengine.seed=N} replays one. */
    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    default void readsWhatTheFilesHold(long seed, @TempDir Path folder) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[][] contents = new byte[3][];
        try (Fixture fixture = new Fixture(backend(), CAPACITY << 16)) {
            int[] numbers = new int[contents.length];
            for (int i = 0; i < contents.length; i++) {
                contents[i] = new byte[1 + random.nextInt(300_000)];
                random.nextBytes(contents[i]);
                numbers[i] = fixture.attach(Files.write(folder.resolve("file" + i), contents[i]));
            }
            for (int round = 0; round < 40; round++) {
                readARound(random, contents, fixture, numbers);
            }
            assertEquals(40 * CAPACITY, fixture.queue.counters().reads());
        }
    }

    private void readARound(
            SplittableRandom random, byte[][] contents, Fixture fixture, int[] numbers)
            throws IOException {
        fixture.memory.fill(GUARD);
        int[] files = random.ints(CAPACITY, 0, contents.length).toArray();
        long[] offsets = new long[CAPACITY];
        int[] lengths = random.ints(CAPACITY, 1, 60_000).toArray();
        long[] results = new long[CAPACITY];
        for (int i = 0; i < CAPACITY; i++) {
            offsets[i] = random.nextLong(contents[files[i]].length + 10L);
            fixture.queue.read(
                    numbers[files[i]],
                    offsets[i],
                    fixture.memory,
                    ((long) i << 16) + 7,
                    lengths[i],
                    i);
        }
        fixture.finish(results);
        for (int i = 0; i < CAPACITY; i++) {
            byte[] content = contents[files[i]];
            int expected = Math.clamp(content.length - offsets[i], 0, lengths[i]);
            assertEquals(expected, results[i]);
            byte[] target = fixture.memory.asSlice((long) i << 16, 1 << 16).toArray(JAVA_BYTE);
            byte[] wanted = new byte[1 << 16];
            Arrays.fill(wanted, GUARD);
            int from = (int) Math.min(offsets[i], content.length);
            System.arraycopy(content, from, wanted, 7, expected);
            assertArrayEquals(wanted, target, "read " + i + ", or beside it");
        }
    }

    @Test
    default void directReadsBringTheSameBytes(@TempDir Path folder) throws Exception {
        byte[] content = new byte[100_001];
        new SplittableRandom(3).nextBytes(content);
        Path path = Files.write(folder.resolve("file"), content);
        try (Fixture fixture = new Fixture(backend(), 1 << 18)) {
            FileHandle file = fixture.openDirect(path);
            int block = file.alignment();
            MemorySegment memory = fixture.alignedMemory(block);
            int number = fixture.queue.attach(file);
            file.release();
            long tail = content.length / block * (long) block;
            long[] results = new long[4];
            fixture.queue.read(number, 0, memory, 0, 16L * block, 0);
            fixture.queue.read(number, 2L * block, memory, 16L * block, block, 1);
            fixture.queue.read(number, tail, memory, 17L * block, 4L * block, 2);
            fixture.queue.read(number, tail + block, memory, 21L * block, block, 3);
            fixture.finish(results);
            assertArrayEquals(new long[] {16L * block, block, content.length - tail, 0}, results);
            MemorySegment expected = MemorySegment.ofArray(content);
            assertEquals(
                    -1, memory.asSlice(0, 16L * block).mismatch(expected.asSlice(0, 16L * block)));
            assertEquals(
                    -1,
                    memory.asSlice(16L * block, block)
                            .mismatch(expected.asSlice(2L * block, block)));
            assertEquals(
                    -1,
                    memory.asSlice(17L * block, content.length - tail)
                            .mismatch(expected.asSlice(tail)));
        }
    }

    @Test
    default void aDirectReadThatIsNotAlignedIsRefused(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        try (Fixture fixture = new Fixture(backend(), 1 << 18)) {
            FileHandle file = fixture.openDirect(path);
            int block = file.alignment();
            MemorySegment memory = fixture.alignedMemory(block);
            ReadQueue queue = fixture.queue;
            int number = queue.attach(file);
            file.release();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> queue.read(number, 1, memory, 0, block, 0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> queue.read(number, 0, memory, 1, block, 0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> queue.read(number, 0, memory, 0, block + 1, 0));
            assertEquals(0, queue.inFlight());
        }
    }

    @Test
    default void aFileThatShrinksGivesAShortDirectRead(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        try (Fixture fixture = new Fixture(backend(), 1 << 18)) {
            FileHandle file = fixture.openDirect(path);
            int block = file.alignment();
            MemorySegment memory = fixture.alignedMemory(block);
            int number = fixture.queue.attach(file);
            file.release();
            try (RandomAccessFile shrunk = new RandomAccessFile(path.toFile(), "rw")) {
                shrunk.setLength(2L * block + 7);
            }
            long[] results = new long[2];
            fixture.queue.read(number, 0, memory, 0, 8L * block, 0);
            fixture.queue.read(number, 2L * block, memory, 8L * block, 8L * block, 1);
            fixture.finish(results);
            assertArrayEquals(new long[] {2L * block + 7, 7}, results);
            long retries = fixture.queue.counters().retries();
            assertTrue(retries <= 4, retries + " times asked for what is not there");
        }
    }

    @Test
    default void readsThatLeaveNothingInThePageCacheBringTheSameBytes(@TempDir Path folder)
            throws Exception {
        byte[] content = new byte[50_000];
        new SplittableRandom(4).nextBytes(content);
        Path path = Files.write(folder.resolve("file"), content);
        try (Fixture fixture = new Fixture(backend(), 1 << 16)) {
            FileHandle file = fixture.backend.open(path, Caching.BUFFERED_ONCE);
            int number = fixture.queue.attach(file);
            file.release();
            long[] results = new long[2];
            fixture.queue.read(number, 1, fixture.memory, 0, 20_000, 0);
            fixture.queue.read(number, 30_000, fixture.memory, 20_000, 30_000, 1);
            fixture.finish(results);
            assertArrayEquals(new long[] {20_000, 20_000}, results);
            assertArrayEquals(
                    Arrays.copyOfRange(content, 1, 20_001),
                    fixture.memory.asSlice(0, 20_000).toArray(JAVA_BYTE));
        }
    }

    @Test
    default void aSmallFileIsBufferedUnlessSaidOtherwise(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[5000]);
        try (ReadBackend backend = backend()) {
            for (Caching caching : List.of(Caching.AUTO, Caching.BUFFERED)) {
                FileHandle file = backend.open(path, caching);
                assertEquals(Caching.BUFFERED, file.caching());
                assertEquals(1, file.alignment());
                file.release();
            }
        }
    }

    @Test
    default void readsBehindFourGibibytes(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("sparse");
        long offset = 5L << 30;
        try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
            sparse.seek(offset);
            sparse.write(new byte[] {1, 2, 3});
        }
        try (Fixture fixture = new Fixture(backend(), 16)) {
            long[] results = new long[1];
            fixture.queue.read(fixture.attach(path), offset - 1, fixture.memory, 0, 16, 0);
            fixture.finish(results);
            assertEquals(4, results[0]);
            assertArrayEquals(
                    new byte[] {0, 1, 2, 3}, fixture.memory.asSlice(0, 4).toArray(JAVA_BYTE));
        }
    }

    /** The kernel answers EIO for memory that is not mapped, as for a failing disk. */
    @Test
    default void aFailingReadReportsItsErrnoAndOthersGoOn(@TempDir Path folder) throws Exception {
        Path good = Files.write(folder.resolve("good"), new byte[100]);
        try (Fixture fixture = new Fixture(backend(), 1000)) {
            long[] results = new long[3];
            int bad = fixture.attach(Path.of("/proc/self/mem"));
            int other = fixture.attach(good);
            fixture.queue.read(other, 0, fixture.memory, 0, 100, 0);
            fixture.queue.read(bad, 16, fixture.memory, 100, 100, 1);
            fixture.queue.read(other, 50, fixture.memory, 200, 100, 2);
            fixture.finish(results);
            assertArrayEquals(new long[] {100, -Errno.EIO, 50}, results);
        }
    }

    @Test
    default void aFileThatShrinksGivesAShortRead(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[10_000]);
        try (Fixture fixture = new Fixture(backend(), 10_000)) {
            int number = fixture.attach(path);
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(6000);
            }
            long[] results = new long[2];
            fixture.queue.read(number, 0, fixture.memory, 0, 10_000, 0);
            fixture.queue.read(number, 8000, fixture.memory, 0, 1000, 1);
            fixture.finish(results);
            assertArrayEquals(new long[] {6000, 0}, results);
        }
    }

    @Test
    default void aFileThatIsReplacedStaysTheOneThatWasOpened(@TempDir Path folder)
            throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {1});
        try (Fixture fixture = new Fixture(backend(), 1)) {
            FileHandle before = fixture.backend.open(path);
            Path other = Files.write(folder.resolve("other"), new byte[] {2});
            Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            FileHandle after = fixture.backend.open(path);
            assertTrue(!before.version().equals(after.version()));

            int number = fixture.queue.attach(before);
            fixture.queue.read(number, 0, fixture.memory, 0, 1, 0);
            fixture.finish(new long[1]);
            assertEquals(1, fixture.memory.get(JAVA_BYTE, 0));
            before.release();
            after.release();
        }
    }

    @Test
    default void aListenerMayQueueTheNextRead(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100]);
        try (Fixture fixture = new Fixture(backend(), 1)) {
            int number = fixture.attach(path);
            AtomicInteger left = new AtomicInteger(100);
            ReadListener chain =
                    (token, result) -> {
                        assertEquals(1, result);
                        if (left.decrementAndGet() > 0) {
                            fixture.queue.read(number, token, fixture.memory, 0, 1, token + 1);
                        }
                    };
            fixture.queue.read(number, 0, fixture.memory, 0, 1, 1);
            while (fixture.queue.inFlight() > 0) {
                fixture.queue.await(chain, () -> true);
            }
            assertEquals(0, left.get());
        }
    }

    @Test
    default void aFullQueueRefusesAndKeepsWhatItHas(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100]);
        try (Fixture fixture = new Fixture(backend(), CAPACITY)) {
            int number = fixture.attach(path);
            for (int i = 0; i < CAPACITY; i++) {
                fixture.queue.read(number, i, fixture.memory, i, 1, i);
            }
            assertThrows(
                    IllegalStateException.class,
                    () -> fixture.queue.read(number, 0, fixture.memory, 0, 1, 0));
            assertThrows(IllegalStateException.class, fixture.queue::close);
            long[] results = new long[CAPACITY];
            fixture.finish(results);
            assertTrue(Arrays.stream(results).allMatch(result -> result == 1));
        }
    }

    @Test
    default void aReadOutsideItsMemoryOrOfNoFileIsRefused(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100]);
        try (Fixture fixture = new Fixture(backend(), 10)) {
            int number = fixture.attach(path);
            ReadQueue queue = fixture.queue;
            MemorySegment memory = fixture.memory;
            assertThrows(
                    IllegalArgumentException.class, () -> queue.read(number, 0, memory, 5, 6, 0));
            assertThrows(
                    IllegalArgumentException.class, () -> queue.read(number, -1, memory, 0, 1, 0));
            assertThrows(
                    IllegalStateException.class, () -> queue.read(number + 1, 0, memory, 0, 1, 0));
            assertEquals(0, queue.inFlight());
        }
    }

    /** A lost wake-up hangs, and the timeout of this interface ends it. */
    @Test
    default void noWakeUpIsLost() throws Exception {
        int rounds = 20_000;
        try (Fixture fixture = new Fixture(backend(), 1)) {
            AtomicInteger given = new AtomicInteger();
            AtomicInteger taken = new AtomicInteger();
            Thread giver =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 1; i <= rounds; i++) {
                                    while (taken.get() < i - 1) {
                                        Thread.onSpinWait();
                                    }
                                    given.set(i);
                                    fixture.queue.wake();
                                }
                            });
            while (taken.get() < rounds) {
                fixture.queue.await((token, result) -> {}, () -> given.get() == taken.get());
                taken.set(given.get());
            }
            giver.join();
        }
    }

    /**
     * The owner closes the queue while other threads wake it. They must not write to freed memory.
     */
    @Test
    default void wakingAQueueThatIsBeingClosedDoesNothing() throws Exception {
        try (ReadBackend backend = backend()) {
            for (int round = 0; round < 300; round++) {
                ReadQueue queue = backend.newQueue(1, List.of());
                AtomicInteger wakes = new AtomicInteger();
                Thread waker =
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int i = 0; i < 2000; i++) {
                                        queue.wake();
                                        wakes.incrementAndGet();
                                    }
                                });
                while (wakes.get() < round % 7) {
                    queue.await((token, result) -> {}, () -> true);
                }
                queue.close();
                waker.join();
                assertEquals(2000, wakes.get(), "a wake-up threw");
            }
        }
    }

    @Test
    default void anInterruptDoesNotEndTheWaitAndIsKept(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[100]);
        try (Fixture fixture = new Fixture(backend(), 100)) {
            int number = fixture.attach(path);
            Thread.currentThread().interrupt();
            long[] results = new long[1];
            fixture.queue.read(number, 0, fixture.memory, 0, 100, 0);
            fixture.finish(results);
            assertEquals(100, results[0]);
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    default void drainingForgetsWhatIsInFlight(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        try (Fixture fixture = new Fixture(backend(), 1 << 20)) {
            int number = fixture.attach(path);
            for (int i = 0; i < CAPACITY; i++) {
                fixture.queue.read(number, 0, fixture.memory, 0, 1 << 20, i);
            }
            assertTrue(fixture.queue.drain(Duration.ofSeconds(20)));
            assertEquals(0, fixture.queue.inFlight());
        }
    }

    @Test
    default void aFileIsOpenWhileAnyoneHoldsIt(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[] {7});
        try (Fixture fixture = new Fixture(backend(), 1)) {
            FileHandle file = fixture.backend.open(path);
            int number = fixture.queue.attach(file);
            file.release();
            fixture.queue.read(number, 0, fixture.memory, 0, 1, 0);
            fixture.finish(new long[1]);
            assertEquals(7, fixture.memory.get(JAVA_BYTE, 0));
            fixture.queue.detach(number);
            assertThrows(IllegalStateException.class, file::retain);
            assertThrows(IllegalStateException.class, file::release);
        }
    }

    /** A queue, its memory, and the files opened through it. */
    final class Fixture implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final ReadBackend backend;
        final MemorySegment memory;
        final ReadQueue queue;

        Fixture(ReadBackend backend, long memoryBytes) throws IOException {
            this.backend = backend;
            this.memory = arena.allocate(memoryBytes);
            this.queue = backend.newQueue(CAPACITY, List.of(memory));
        }

        FileHandle openDirect(Path path) throws IOException {
            FileHandle file = backend.open(path, Caching.DIRECT);
            if (file.caching() != Caching.DIRECT) {
                file.release();
            }
            assumeTrue(file.caching() == Caching.DIRECT, "O_DIRECT is refused here");
            return file;
        }

        MemorySegment alignedMemory(int alignment) {
            long skipped = -memory.address() & (alignment - 1);
            return memory.asSlice(skipped);
        }

        int attach(Path path) throws IOException {
            FileHandle file = backend.open(path);
            int number = queue.attach(file);
            file.release(); // The queue holds it.
            return number;
        }

        void finish(long[] results) throws IOException {
            while (queue.inFlight() > 0) {
                queue.await((token, result) -> results[token] = result, () -> true);
            }
        }

        @Override
        public void close() {
            assertTrue(queue.drain(Duration.ofSeconds(20)));
            queue.close();
            backend.close();
            arena.close();
        }
    }
}
