package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the queue over a simulated kernel, with every fault that a real one shows rarely. */
final class RingReadQueueTest {
    private static final int FILE_BYTES = 100_000;
    private static final int CAPACITY = 8;

    @TempDir Path folder;

    private byte[] content;
    private FileHandle file;

    @BeforeEach
    void createFile() throws Exception {
        content = new byte[FILE_BYTES];
        new SplittableRandom(1).nextBytes(content);
        file = ChannelFile.open(Files.write(folder.resolve("file"), content));
    }

    /** Each read is reported exactly once: with all of its bytes, or with EIO. */
    @ParameterizedTest(name = "fault rate {0}, seed {1}")
    @CsvSource({"0, 1", "0.1, 2", "0.1, 3", "0.5, 4", "0.5, 5", "0.9, 6"})
    void everyReadEndsOnce(double faultRate, long seed) throws Exception {
        int readCount = 500;
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, seed, faultRate);
        long[] offsets = random.longs(readCount, 0, FILE_BYTES).toArray();
        int[] lengths = random.ints(readCount, 1, 3000).toArray();
        long[] results = new long[readCount];
        Arrays.fill(results, Long.MIN_VALUE);
        try (Arena arena = Arena.ofConfined();
                RingReadQueue queue = new RingReadQueue(ring, CAPACITY)) {
            MemorySegment[] targets = new MemorySegment[readCount];
            int number = queue.attach(file);
            int next = 0;
            int ended = 0;
            while (ended < readCount) {
                while (next < readCount && queue.inFlight() < CAPACITY) {
                    targets[next] = arena.allocate(lengths[next]);
                    queue.read(number, offsets[next], targets[next], 0, lengths[next], next);
                    next++;
                }
                ended +=
                        queue.await(
                                (token, result) -> {
                                    assertEquals(Long.MIN_VALUE, results[token], "reported twice");
                                    results[token] = result;
                                },
                                () -> true);
            }
            for (int i = 0; i < readCount; i++) {
                checkRead(offsets[i], lengths[i], results[i], targets[i], faultRate);
            }
            assertEquals(readCount, queue.counters().reads());
        }
    }

    private void checkRead(
            long offset, int length, long result, MemorySegment target, double faultRate) {
        int expected = (int) Math.min(length, FILE_BYTES - offset);
        if (result < 0) {
            assertTrue(faultRate > 0, "failed without a fault");
            assertTrue(result == -Errno.EIO || faultRate == 0.9, "result " + result);
            return;
        }
        assertEquals(expected, result);
        assertArrayEquals(
                Arrays.copyOfRange(content, (int) offset, (int) offset + expected),
                target.asSlice(0, expected).toArray(JAVA_BYTE));
    }

    /** The rest of a short read begins at a whole block, as the kernel requires. */
    @ParameterizedTest(name = "fault rate {0}, seed {1}")
    @CsvSource({"0, 1", "0.3, 2", "0.3, 3", "0.6, 4"})
    void aShortDirectReadGoesOnAtABlock(double faultRate, long seed) throws Exception {
        FileHandle direct = ReadFiles.direct(file.path());
        int block = direct.alignment();
        int readCount = 200;
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, seed, faultRate);
        try (Arena arena = Arena.ofConfined();
                RingReadQueue queue = new RingReadQueue(ring, CAPACITY)) {
            int number = queue.attach(direct);
            MemorySegment target = arena.allocate(64L * block, block);
            for (int i = 0; i < readCount; i++) {
                long offset = (long) random.nextInt(FILE_BYTES / block + 2) * block;
                int length = (1 + random.nextInt(64)) * block;
                long[] result = {Long.MIN_VALUE};
                queue.read(number, offset, target, 0, length, 0);
                while (queue.inFlight() > 0) {
                    queue.poll((token, read) -> result[0] = read);
                }
                int expected = Math.clamp(FILE_BYTES - offset, 0, length);
                assertTrue(result[0] == expected || result[0] == -Errno.EIO, "got " + result[0]);
                if (result[0] > 0) {
                    assertArrayEquals(
                            Arrays.copyOfRange(content, (int) offset, (int) offset + expected),
                            target.asSlice(0, expected).toArray(JAVA_BYTE));
                }
            }
        } finally {
            direct.release();
        }
    }

    /** On an older kernel, or a file system without it, the read goes on without the flag. */
    @Test
    void aFlagThatTheKernelRefusesIsLeftOut() throws Exception {
        FileHandle once = ReadFiles.bufferedOnce(file.path());
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, 9, 0);
        ring.refuseFlags();
        try (Arena arena = Arena.ofConfined();
                RingReadQueue queue = new RingReadQueue(ring, CAPACITY)) {
            int number = queue.attach(once);
            long[] results = new long[2];
            for (int i = 0; i < 2; i++) {
                queue.read(number, 0, arena.allocate(10), 0, 10, i);
                while (queue.inFlight() > 0) {
                    queue.poll((token, read) -> results[token] = read);
                }
            }
            assertArrayEquals(new long[] {10, 10}, results);
            assertEquals(1, queue.counters().retries(), "the flag was tried again");
        } finally {
            once.release();
        }
    }

    @Test
    void aReadThatIsAlwaysInterruptedFailsAtLast() throws Exception {
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, 6, 0.999);
        try (Arena arena = Arena.ofConfined();
                RingReadQueue queue = new RingReadQueue(ring, CAPACITY)) {
            int number = queue.attach(file);
            long[] result = {0};
            queue.read(number, 0, arena.allocate(10), 0, 10, 0);
            while (queue.inFlight() > 0) {
                queue.poll((token, read) -> result[0] = read);
            }
            assertTrue(result[0] < 0, "result " + result[0]);
            assertTrue(queue.counters().retries() <= 64, queue.counters().toString());
        }
    }

    @Test
    void aBrokenRingIsReportedAndNeverDrained() throws Exception {
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, 7, 0);
        try (Arena arena = Arena.ofConfined()) {
            RingReadQueue queue = new RingReadQueue(ring, CAPACITY);
            int number = queue.attach(file);
            queue.read(number, 0, arena.allocate(10), 0, 10, 0);
            ring.breakDown();
            assertThrows(ErrnoException.class, () -> queue.poll((token, result) -> {}));
            assertFalse(queue.drain(Duration.ofMillis(20)));
            assertThrows(IllegalStateException.class, queue::close);
        }
    }

    @Test
    void aQueueLargerThanItsRingIsRefused() {
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, 8, 0);
        assertThrows(IllegalArgumentException.class, () -> new RingReadQueue(ring, CAPACITY + 1));
        assertTrue(ring.isClosed(), "nobody has the ring, and nobody closes it");
    }

    /** Otherwise a long-lived worker runs out of numbers, and the files stay open. */
    @Test
    void aFileThatTheKernelRefusesTakesNoNumber() {
        SimulatedRing ring = new SimulatedRing(content, CAPACITY, 9, 0);
        try (RingReadQueue queue = new RingReadQueue(ring, CAPACITY)) {
            ring.refuseFiles(true);
            for (int i = 0; i <= queue.attachedMax(); i++) {
                Exception e = assertThrows(IllegalStateException.class, () -> queue.attach(file));
                assertEquals("simulated", e.getMessage());
            }
            ring.refuseFiles(false);
            queue.detach(queue.attach(file));
        }
        file.release();
        assertFalse(file.tryRetain(), "somebody still holds it");
    }
}
