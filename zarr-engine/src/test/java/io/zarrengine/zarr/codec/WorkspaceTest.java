package io.zarrengine.zarr.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The memory and the decoders of one thread. */
final class WorkspaceTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void buffersAreAsLargeAsAskedAndApart(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (Workspace workspace = new Workspace()) {
            MemorySegment[] buffers = new MemorySegment[4];
            for (int round = 0; round < 300; round++) {
                int index = random.nextInt(4);
                long bytes = random.nextLong(1L << random.nextInt(20));
                buffers[index] =
                        index == 3 ? workspace.result(bytes) : workspace.buffer(index, bytes);
                assertEquals(bytes, buffers[index].byteSize());
                buffers[index].fill((byte) index);
                if (random.nextInt(10) == 0) {
                    workspace.trim(random.nextLong(300_000));
                }
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
    void trimsOnlyWhatIsTooLarge() {
        try (Workspace workspace = new Workspace()) {
            MemorySegment small = workspace.buffer(0, 1000);
            MemorySegment large = workspace.buffer(1, 1_000_000);
            workspace.trim(500_000);
            assertTrue(isAlive(small));
            assertFalse(isAlive(large));
            assertEquals(2_000_000, workspace.buffer(1, 2_000_000).byteSize());
        }
    }

    @Test
    void keepsItsDecoders() throws CodecException {
        try (Workspace workspace = new Workspace()) {
            for (Workspace.Format format : Workspace.Format.values()) {
                Decompressor decompressor = workspace.decompressor(format);
                assertSame(decompressor, workspace.decompressor(format));
            }
            assertNotSame(
                    workspace.decompressor(Workspace.Format.ZLIB),
                    workspace.decompressor(Workspace.Format.GZIP));
        }
    }

    @Test
    void closingFreesEverything() throws CodecException {
        List<MemorySegment> buffers = new ArrayList<>();
        Workspace workspace = new Workspace();
        for (int i = 0; i < 4; i++) {
            buffers.add(workspace.buffer(i, 10));
        }
        Decompressor zlib = workspace.decompressor(Workspace.Format.ZLIB);
        workspace.close();
        buffers.forEach(buffer -> assertFalse(isAlive(buffer)));
        MemorySegment segment = MemorySegment.ofArray(new byte[10]);
        assertThrows(IllegalStateException.class, () -> zlib.decompress(segment, segment));
    }
}
