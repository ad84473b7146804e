package io.zarrengine.uring.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs of memory: no byte is in two runs, and none is lost. */
final class ReadMemoryTest {
    private static final int SLOT = 32 << 10;

    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    /** A run that was taken. */
    private record Run(long offset, long bytes) {
        long slotBytes() {
            return Math.ceilDiv(bytes, SLOT) * SLOT;
        }

        long end() {
            return offset + slotBytes();
        }
    }

    /** The slow twin: returns the first place where no slot is used. */
    private static long slowTake(List<Run> runs, int slots, long bytes) {
        for (long at = 0; at + bytes <= (long) slots * SLOT; at += SLOT) {
            Run wanted = new Run(at, bytes);
            if (runs.stream().noneMatch(run -> overlap(run, wanted))) {
                return at;
            }
        }
        return -1;
    }

    private static boolean overlap(Run a, Run b) {
        return a.offset < b.end() && b.offset < a.end();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void takesAndFreesAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int slots = 1 + random.nextInt(40);
        try (ReadMemory memory = new ReadMemory((long) slots * SLOT - random.nextInt(SLOT), SLOT)) {
            List<Run> runs = new ArrayList<>();
            for (int round = 0; round < 2000; round++) {
                if (random.nextInt(5) < 3) {
                    long bytes = 1 + random.nextLong(random.nextBoolean() ? SLOT : 6 * SLOT);
                    long expected = slowTake(runs, slots, bytes);
                    assertEquals(expected, memory.take(bytes));
                    if (expected >= 0) {
                        runs.add(new Run(expected, bytes));
                    }
                } else if (!runs.isEmpty()) {
                    Run run = runs.remove(random.nextInt(runs.size()));
                    memory.free(run.offset, run.bytes);
                }
                assertEquals(runs.stream().mapToLong(Run::slotBytes).sum(), memory.usedBytes());
            }
            runs.forEach(run -> memory.free(run.offset, run.bytes));
            assertEquals(0, memory.take((long) slots * SLOT), "something was lost");
        }
    }

    @Test
    void isAsLargeAsAskedAndWholeSlots() throws Exception {
        try (ReadMemory memory = new ReadMemory(3 * SLOT + 1, SLOT)) {
            assertEquals(4 * SLOT, memory.segment().byteSize());
            assertEquals(SLOT, memory.readBytesMax());
            assertEquals(0, memory.take(SLOT));
            assertEquals(SLOT, memory.take(1));
            assertEquals(-1, memory.take(2 * SLOT + 1));
            assertEquals(2 * SLOT, memory.take(SLOT + 1));
            assertEquals(-1, memory.take(1));
            assertEquals(-1, memory.take(Integer.MAX_VALUE));
            memory.free(SLOT, 1);
            assertEquals(SLOT, memory.take(SLOT));
        }
    }

    @Test
    void closingFreesIt() throws Exception {
        ReadMemory memory = new ReadMemory(1, SLOT);
        MemorySegment segment = memory.segment().fill((byte) 1);
        memory.close();
        assertFalse(segment.scope().isAlive());
        assertThrows(IllegalStateException.class, memory::close);
    }

    @Test
    void isReadableByEveryThread() throws Exception {
        try (ReadMemory memory = new ReadMemory(SLOT, SLOT)) {
            boolean[] accessible = {false};
            Thread other =
                    Thread.ofPlatform()
                            .start(() -> {
                                memory.segment().fill((byte) 3);
                                accessible[0] = true;
                            });
            other.join();
            assertTrue(accessible[0]);
        }
    }

    /** A longer stretch would get its own pages for every read. */
    @ParameterizedTest(name = "alignment {0}")
    @ValueSource(ints = {1, 512, 4096})
    void theLongestStretchFitsWhereverItBegins(int alignment) {
        try (ReadMemory memory = new ReadMemory(1 << 20, SLOT)) {
            long bytes = memory.stretchBytesMax(alignment);
            assertTrue(longestRead(bytes, alignment) <= memory.readBytesMax());
            assertTrue(longestRead(bytes + 1, alignment) > memory.readBytesMax());
        }
    }

    private static long longestRead(long bytes, int alignment) {
        return LongStream.range(0, alignment)
                .map(at -> Math.ceilDiv(at + bytes, alignment) * alignment)
                .max()
                .orElseThrow();
    }
}
