package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.MissingChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chunks that were never written read as the fill value, or as an error if the caller wants one.
 */
final class MissingChunksTest {
    @TempDir private Path folder;

    /** Writes shape (4, 4), chunks (2, 4), inner chunks (2, 2): [0, 0:2] is the only data. */
    private void write(CodecSpec... behind) throws Exception {
        List<CodecSpec> codecs = new ArrayList<>();
        codecs.add(CodecSpec.sharding(new long[] {2, 2}, CodecSpec.bytes()));
        codecs.addAll(List.of(behind));
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT8, 4, 4)
                        .chunkShape(2, 4)
                        .codecs(codecs)
                        .fillValue((byte) 7)
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            byte[] chunk = {1, 2, 7, 7, 3, 4, 7, 7};
            engine.createArray(folder, metadata)
                    .writeChunk(new long[] {0, 0}, MemorySegment.ofArray(chunk));
        }
    }

    private static byte[] read(ZarrArray array, String selection) {
        try (HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    @Test
    void readTheFillValue() throws Exception {
        write();
        try (ZarrEngine engine = ZarrEngine.builder().missingChunks(MissingChunks.FILL).open();
                ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(new byte[] {1, 2, 7, 7}, read(array, "0"));
            assertArrayEquals(new byte[] {7, 7, 7, 7}, read(array, "3"));
        }
    }

    @Test
    void failTheReadOnRequest() throws Exception {
        write();
        try (ZarrEngine engine = ZarrEngine.builder().missingChunks(MissingChunks.ERROR).open();
                ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(new byte[] {1, 2}, read(array, "0, 0:2"));
            assertMissing(array, "3", folder.resolve("c/1/0") + ": was never written");
            assertMissing(
                    array,
                    "0",
                    folder.resolve("c/0/0") + ", inner chunk [0, 1]: was never written");
            Files.delete(folder.resolve("c/0/0"));
            try (ZarrArray again = engine.openArray(folder)) {
                assertMissing(again, "0, 0:2", folder.resolve("c/0/0") + ": was never written");
            }
        }
    }

    private static void assertMissing(ZarrArray array, String selection, String message) {
        MissingChunkException e =
                assertThrows(MissingChunkException.class, () -> read(array, selection));
        assertTrue(e.getMessage().startsWith(message), e::getMessage);
    }

    /** The chunks are in a shard that is compressed as a whole, and is taken apart in memory. */
    @Test
    void failTheReadInsideACompressedShardOnRequest() throws Exception {
        write(CodecSpec.gzip(1));
        try (ZarrEngine engine = ZarrEngine.builder().missingChunks(MissingChunks.ERROR).open();
                ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(new byte[] {1, 2}, read(array, "0, 0:2"));
            assertMissing(
                    array, "0", folder.resolve("c/0/0") + ", inner chunk 1: was never written");
        }
    }
}
