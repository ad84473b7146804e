package io.zarrengine.zarr.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups of results in one or more blocks that are freed together. */
final class ResultGroupTest {
    private static final long BLOCK_BYTES = 64 << 10;

    private final List<ResultGroup> unused = new ArrayList<>();
    private NativeMemory memory;

    @BeforeEach
    void allocate() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        memory = NativeMemory.allocate(2 * BLOCK_BYTES);
    }

    @AfterEach
    void free() {
        if (memory != null) {
            memory.close();
        }
    }

    private ResultBlock block(long number) {
        long at = number * BLOCK_BYTES;
        return new ResultBlock(at, memory.segment().asSlice(at, BLOCK_BYTES));
    }

    private void giveBack(ResultGroup group) {
        if (group.releaseIsLast()) {
            unused.add(group);
        }
    }

    @Test
    void continuesInItsNextBlockAndEndsAsOne() {
        ResultGroup group = new ResultGroup(block(0), this::giveBack, _ -> {});
        NativeMemory first = group.tryLend(BLOCK_BYTES);
        assertNull(group.tryLend(1), "it is full");
        group.add(block(1));
        NativeMemory second = group.tryLend(BLOCK_BYTES);
        assertEquals(first.segment().address() + BLOCK_BYTES, second.segment().address());
        MemorySegment kept = first.segment();
        first.close();
        giveBack(group);
        assertTrue(unused.isEmpty(), "one is still open");
        second.close();
        assertEquals(List.of(group), unused);
        assertTrue(kept.scope().isAlive());
        assertTrue(group.tryEnd());
        assertFalse(kept.scope().isAlive());
        assertEquals(
                List.of(0L, BLOCK_BYTES),
                group.blocks().stream().map(ResultBlock::offset).toList());
    }

    /** A late thread would otherwise get memory of another owner. */
    @Test
    void lendsNothingAfterTheLastRelease() {
        ResultGroup group = new ResultGroup(block(0), this::giveBack, _ -> {});
        giveBack(group);
        assertNull(group.tryLend(1));
        assertEquals(List.of(group), unused, "told once");
        assertTrue(group.tryEnd());
    }

    /** Vectors need alignment to their width, direct reads to pages. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void resultsLieApartAndAligned(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            ResultBlock block = block(0);
            long end = memory.segment().address();
            long bytes = 1 + random.nextLong(1L << random.nextInt(14));
            MemorySegment part = block.tryTake(bytes);
            assertNotNull(part);
            while (part != null) {
                assertEquals(bytes, part.byteSize());
                assertTrue(part.address() >= end, "they overlap");
                assertEquals(0, part.address() % Math.min(BlockMemory.blockBytes(bytes), 4096));
                end = part.address() + bytes;
                bytes = 1 + random.nextLong(1L << random.nextInt(14));
                part = block.tryTake(bytes);
            }
            assertTrue(end <= memory.segment().address() + BLOCK_BYTES);
            assertNull(block.tryTake(BLOCK_BYTES));
        }
    }

    @Test
    void refusesToCloseAResultTwice() {
        ResultGroup group = new ResultGroup(block(0), this::giveBack, _ -> {});
        NativeMemory result = group.tryLend(10);
        result.close();
        assertThrows(IllegalStateException.class, result::close);
        assertTrue(unused.isEmpty(), "its owner still fills it");
        giveBack(group);
        assertTrue(group.tryEnd());
    }
}
