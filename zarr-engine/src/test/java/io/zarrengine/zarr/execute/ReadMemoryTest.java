package io.zarrengine.zarr.execute;

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

/** Runs of memory: never the same byte twice, and none is lost. */
final class ReadMemoryTest {
    private static final int SLOT = 32 << 10;

    /** A run that was taken. */
    private record Run(long offset, long bytes) {
        long end() {
            return offset + Math.ceilDiv(bytes, SLOT) * SLOT;
        }
    }

    /** The slow twin: the first place where no slot is used. */
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
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void takesAndFreesAsASlowTwinDoes(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int slots = 1 + random.nextInt(40);
        try (ReadMemory memory = new ReadMemory((long) slots * SLOT - random.nextInt(SLOT))) {
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
            }
            runs.forEach(run -> memory.free(run.offset, run.bytes));
            assertEquals(0, memory.take((long) slots * SLOT), "something was lost");
        }
    }

    @Test
    void isAsLargeAsAskedAndWholeSlots() throws Exception {
        try (ReadMemory memory = new ReadMemory(3 * SLOT + 1)) {
            assertEquals(4 * SLOT, memory.memory().byteSize());
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
        ReadMemory memory = new ReadMemory(1);
        MemorySegment segment = memory.memory().fill((byte) 1);
        memory.close();
        assertFalse(segment.scope().isAlive());
        assertThrows(IllegalStateException.class, memory::close);
    }

    @Test
    void isReadableByEveryThread() throws Exception {
        try (ReadMemory memory = new ReadMemory(SLOT)) {
            boolean[] accessible = {false};
            Thread other =
                    Thread.ofPlatform()
                            .start(() -> {
                                memory.memory().fill((byte) 3);
                                accessible[0] = true;
                            });
            other.join();
            assertTrue(accessible[0]);
        }
    }

    /** One that did not would get pages of its own for every read. */
    @ParameterizedTest(name = "alignment {0}")
    @ValueSource(ints = {1, 512, 4096})
    void theLongestStretchFitsWhereverItBegins(int alignment) {
        try (ReadMemory memory = new ReadMemory(1 << 20)) {
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
