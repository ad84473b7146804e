package io.zarrengine.zarr.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.deflate.GzipCodec;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.memory.MemoryShortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The memory and the decoders of one thread. Fails if the workspace takes more than it reserved, or
 * keeps a reservation.
 */
final class WorkspaceTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void buffersAreAsLargeAsAskedAndApart(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryBudget budget = new MemoryBudget(10_000_000, () -> {});
        long own = random.nextLong(300_000);
        try (Workspace workspace = new Workspace(true, new MemoryAccount(own, budget))) {
            MemorySegment[] buffers = new MemorySegment[4];
            for (int round = 0; round < 300; round++) {
                int index = random.nextInt(4);
                long bytes = random.nextLong(1L << random.nextInt(20));
                buffers[index] =
                        index == 3 ? workspace.result(bytes) : workspace.buffer(index, bytes);
                assertEquals(bytes, buffers[index].byteSize());
                buffers[index].fill((byte) index);
                if (random.nextInt(10) == 0) {
                    workspace.end();
                    assertEquals(0, budget.bytesReserved());
                    assertTrue(held(buffers) <= own);
                    workspace.begin(0, 0);
                }
                assertTrue(held(buffers) <= own + budget.bytesReserved());
                assertApart(buffers);
            }
        }
    }

    private static void assertApart(MemorySegment... buffers) {
        for (int i = 0; i < buffers.length; i++) {
            for (int j = 0; j < i; j++) {
                boolean alive = isAlive(buffers[i]) && isAlive(buffers[j]);
                assertTrue(!alive || buffers[i].asOverlappingSlice(buffers[j]).isEmpty());
            }
        }
    }

    /** Returns the requested bytes, which are less than the held ones. */
    private static long held(MemorySegment... buffers) {
        return Arrays.stream(buffers)
                .filter(WorkspaceTest::isAlive)
                .mapToLong(MemorySegment::byteSize)
                .sum();
    }

    private static boolean isAlive(MemorySegment segment) {
        return segment != null && segment.scope().isAlive();
    }

    @Test
    void keepsABufferThatIsLargeEnough() {
        try (Workspace workspace = new Workspace()) {
            MemorySegment large = workspace.buffer(0, 100_000);
            assertEquals(large.address(), workspace.buffer(0, 10).address());
            assertEquals(large.address(), workspace.buffer(0, 100_000).address());
            assertEquals(0, workspace.buffer(1, 0).byteSize());
        }
    }

    @Test
    void freesMemoryBeyondItsShareAtTheEnd() {
        MemoryBudget budget = new MemoryBudget(1 << 20, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(500_000, budget))) {
            MemorySegment small = workspace.buffer(0, 1000);
            MemorySegment large = workspace.buffer(1, 1_000_000);
            assertEquals((1 << 16) + (1 << 20) - 500_000, budget.bytesReserved());
            workspace.end();
            assertEquals(0, budget.bytesReserved());
            assertTrue(isAlive(small));
            assertFalse(isAlive(large));
        }
    }

    /**
     * Memory of earlier chunks is freed before more is reserved; memory of the current chunk stays.
     */
    @Test
    void takesFromOtherChunksFirst() {
        MemoryBudget budget = new MemoryBudget(1 << 18, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(1 << 18, budget))) {
            MemorySegment before = workspace.buffer(0, 1 << 18);
            workspace.end();
            workspace.begin(0, 0);
            MemorySegment mine = workspace.buffer(1, 1 << 16);
            assertFalse(isAlive(before));
            MemorySegment alsoMine = workspace.result(3 << 16);
            assertEquals(0, budget.bytesReserved());
            MemoryShortException e =
                    assertThrows(MemoryShortException.class, () -> workspace.filtered(0, 5 << 16));
            assertEquals(9 << 16, e.neededBytes());
            assertTrue(e.isFinal());
            assertTrue(isAlive(mine) && isAlive(alsoMine));
        }
    }

    @Test
    void reservesGrantedMemoryOnce() {
        MemoryBudget budget = new MemoryBudget(1 << 20, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(1 << 16, budget))) {
            assertTrue(budget.tryReserve(1 << 20));
            workspace.begin((1 << 20) - (1 << 18), 1 << 18);
            workspace.result((1 << 20) - (1 << 18) + (1 << 16));
            MemoryShortException e =
                    assertThrows(MemoryShortException.class, () -> workspace.buffer(0, 1));
            assertTrue(e.isFinal(), "the rest is the same work's");
            workspace.end();
            workspace.begin(0, 0);
            e = assertThrows(MemoryShortException.class, () -> workspace.result(1 << 17));
            assertFalse(e.isFinal());
            workspace.end();
            assertEquals(1 << 20, budget.bytesReserved(), "it is given back by who granted it");
        }
    }

    @Test
    void countsLentMemory() {
        MemoryBudget budget = new MemoryBudget(1 << 20, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(0, budget))) {
            try (Workspace.Loan lent = workspace.lend(1000);
                    Workspace.Loan heap = workspace.countHeap(500)) {
                assertEquals(1500, budget.bytesReserved());
                assertEquals(1000, lent.segment().byteSize());
                assertEquals(0, heap.segment().byteSize());
            }
            workspace.result(1500 - 1); // the same reservation, except for rounding up
            assertEquals(1 << 16, budget.bytesReserved());
            workspace.end();
            assertEquals(0, budget.bytesReserved());
        }
    }

    @Test
    void keepsAndCountsMemoryThatIsSetAside() {
        MemoryBudget budget = new MemoryBudget(1 << 20, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(0, budget))) {
            MemorySegment first = workspace.result(1 << 16);
            try (Workspace.Loan aside = workspace.setAside()) {
                MemorySegment second = workspace.result(1 << 16);
                assertApart(first, second);
                assertEquals(0, aside.segment().byteSize());
                assertEquals(2 << 16, budget.bytesReserved());
            }
            assertFalse(isAlive(first));
            workspace.end();
            assertEquals(0, budget.bytesReserved());
        }
    }

    @Test
    void keepsItsDecoders() throws CodecException {
        try (Workspace workspace = new Workspace()) {
            Decompressor zstd = workspace.context(ZstdCodec.DECOMPRESSOR);
            assertSame(zstd, workspace.context(ZstdCodec.DECOMPRESSOR));
            assertNotSame(
                    workspace.context(ZlibCodec.DECOMPRESSOR),
                    workspace.context(GzipCodec.DECOMPRESSOR));
        }
    }

    @Test
    void freesEverythingOnClose() throws CodecException {
        List<MemorySegment> buffers = new ArrayList<>();
        Workspace workspace = new Workspace();
        for (int i = 0; i < 4; i++) {
            buffers.add(workspace.buffer(i, 10));
        }
        Decompressor zlib = workspace.context(ZlibCodec.DECOMPRESSOR);
        workspace.close();
        buffers.forEach(buffer -> assertFalse(isAlive(buffer)));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stream = Samples.nativeCopy(arena, new byte[] {0x78, (byte) 0x9c, 3, 0});
            MemorySegment target = arena.allocate(10);
            assertThrows(IllegalStateException.class, () -> zlib.decompress(stream, target));
        }
    }

    /**
     * An idle reservation would never be released: a request for the whole budget would wait for
     * ever.
     */
    @Test
    void reservesNothingBetweenChunks() {
        MemoryBudget budget = new MemoryBudget(1 << 20, () -> {});
        try (Workspace workspace = new Workspace(true, new MemoryAccount(1 << 19, budget))) {
            workspace.begin(0, 0);
            workspace.result(1 << 19); // its whole own share
            workspace.end();
            workspace.buffer(0, 64 << 10);
            assertEquals(0, budget.bytesReserved());
            workspace.begin(0, 0);
            workspace.result(1 << 19);
            assertEquals(0, budget.bytesReserved());
            workspace.end();
        }
    }
}
