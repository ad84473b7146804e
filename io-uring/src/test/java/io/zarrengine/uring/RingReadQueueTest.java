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

/** The queue over a simulated kernel: every fault that a real one shows rarely. */
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
    }
}
