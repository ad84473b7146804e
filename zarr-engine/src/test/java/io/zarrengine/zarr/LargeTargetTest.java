package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target of more than 2 GiB. Fails if an offset on the way there has 32 bits. */
final class LargeTargetTest {
    private static final long ROWS = 70;
    private static final long ROW = 32 << 20; // 2.2 GiB in all
    private static final long INNER = 1 << 20;

    @TempDir private Path folder;

    @Test
    void fillsTheTargetToItsEnd() throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, ROWS, ROW)
                        .chunkShape(1, ROW)
                        .fillValue(new byte[] {7})
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {1, INNER}, CodecSpec.bytes())))
                        .build();
        Path path = folder.resolve("array");
        try (ZarrEngine engine = ZarrEngine.open();
                Arena arena = Arena.ofConfined();
                NativeMemory memory = NativeMemory.allocate(ROWS * ROW)) { // on huge pages
            ArrayWriter writer = engine.createArray(path, metadata);
            MemorySegment elements = arena.allocate(ROW);
            for (long row = 67; row < ROWS; row++) { // The rows before are missing too.
                elements.fill((byte) (row < 68 ? 7 : row));
                writer.writeChunk(new long[] {row, 0}, elements);
            }
            assertFalse(Files.exists(path.resolve("c/67/0")), "nothing but the fill value");
            MemorySegment target = memory.segment();
            try (ZarrArray array = engine.openArray(path)) {
                array.read(Selection.all(), target);
                for (long row = 0; row < ROWS; row++) {
                    byte expected = (byte) (row < 68 ? 7 : row);
                    for (long at = 0; at < ROW; at += INNER / 2 - 1) {
                        assertEquals(expected, target.get(JAVA_BYTE, row * ROW + at));
                    }
                    assertEquals(expected, target.get(JAVA_BYTE, (row + 1) * ROW - 1));
                }
            }
        }
    }
}
