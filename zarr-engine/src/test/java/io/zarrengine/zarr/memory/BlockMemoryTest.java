package io.zarrengine.zarr.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Blocks do not overlap, and all of the memory can be taken again. The slow twin is a set of bytes.
 */
final class BlockMemoryTest {
    private static final int BYTES = 7 * 1024 + 63; // 4096, 2048 and 1024, and a remainder

    private record Block(long at, int bytes) {}

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void blocksDoNotOverlap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BitSet used = new BitSet();
        List<Block> taken = new ArrayList<>();
        try (BlockMemory memory = new BlockMemory(BYTES)) {
            for (int round = 0; round < 3000; round++) {
                if (random.nextInt(20) == 0) { // otherwise it stays nearly full
                    taken.forEach(block -> give(memory, used, block));
                    taken.clear();
                } else if (!taken.isEmpty() && random.nextBoolean()) {
                    give(memory, used, taken.remove(random.nextInt(taken.size())));
                } else {
                    int bytes = 1 + random.nextInt(random.nextBoolean() ? 200 : 5000);
                    long at = memory.take(bytes);
                    if (at >= 0) {
                        take(memory, used, new Block(at, bytes));
                        taken.add(new Block(at, bytes));
                    }
                }
            }
            taken.forEach(block -> give(memory, used, block));
            assertTakesAll(memory);
        }
    }

    /** In a larger region the numbers of small blocks would be negative. */
    @Test
    void usesNoMoreThanCanBeNumbered() {
        assertEquals(BYTES & -64, BlockMemory.usableOf(BYTES));
        assertEquals(128L << 30, BlockMemory.usableOf(192L << 30));
        assertEquals(Integer.MAX_VALUE, BlockMemory.BYTES_MAX / 64 - 1);
    }

    private static void take(BlockMemory memory, BitSet used, Block block) {
        int from = (int) block.at();
        assertEquals(block.bytes(), memory.block(block.at(), block.bytes()).byteSize());
        assertEquals(0, block.at() % 64);
        int next = used.nextSetBit(from);
        assertTrue(next < 0 || next >= from + block.bytes(), () -> block + " is taken already");
        used.set(from, from + block.bytes());
    }

    private static void give(BlockMemory memory, BitSet used, Block block) {
        used.clear((int) block.at(), (int) block.at() + block.bytes());
        memory.free(block.at(), block.bytes());
    }

    /** Asserts that no memory was lost, and that free halves were joined. */
    private static void assertTakesAll(BlockMemory memory) {
        assertEquals(0, memory.take(4096));
        assertEquals(4096, memory.take(2048));
        assertEquals(6144, memory.take(1024));
        assertEquals(-1, memory.take(1));
    }

    @Test
    void aBlockIsTheSmallestPowerOfTwo() {
        try (BlockMemory memory = new BlockMemory(4096)) {
            for (int bytes : new int[] {1, 64, 65, 129, 512}) {
                assertTrue(memory.take(bytes) >= 0);
            }
            // 64 + 64 + 128 + 256 + 512 of 4096
            assertEquals(2048, memory.take(2048));
            assertEquals(-1, memory.take(1025));
            assertEquals(1024, memory.take(513));
        }
    }

    @Test
    void usesNothingBelowTheSizeOfABlock() {
        try (BlockMemory memory = new BlockMemory(63)) {
            assertEquals(-1, memory.take(1));
        }
    }
}
