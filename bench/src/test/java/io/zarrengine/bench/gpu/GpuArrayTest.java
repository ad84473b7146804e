package io.zarrengine.bench.gpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads chunks of our own encoders with the engine's decoders: a wrong chunk would decode to other
 * numbers, or fail.
 */
final class GpuArrayTest {
    private static final int LAST_SHARD = 3;

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(GpuEncoding.class)
    void holdsItsElements(GpuEncoding encoding) throws IOException {
        GpuArray files = new GpuArray(folder, encoding, 1);
        files.make();
        byte[] expected = files.elements(LAST_SHARD, files.chunksPerShard() - 1);
        int first = 1024 - encoding.innerRows();
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                ZarrArray array = engine.openArray(files.path());
                HostTensor last = array.read(Selection.of("0, %d:, %<d:".formatted(first)))) {
            assertArrayEquals(encoding.delivered(expected), last.segment().toArray(JAVA_BYTE));
        }
        // The chunks that the limits decode.
        try (SlotStretches all = SlotStretches.of(files, 1 << 20)) {
            assertEquals(files.elementBytes(), all.decodedBytes());
            assertEquals(encoding.encode(expected).length, all.chunks.getLast().bytes());
        }
    }
}
