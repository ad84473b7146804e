package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The printed description of an array names its chunk shapes and codecs. */
final class ArrayInfoTest {
    @TempDir private Path folder;

    @Test
    void printsChunkShapesAndCodecs() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 100, 60)
                        .chunkShape(50, 60)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {10, 20},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .attributes(Map.of("units", "K"))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            var _ = engine.createArray(folder.resolve("array"), metadata);
            try (ZarrArray array = engine.openArray(folder.resolve("array"))) {
                List<String> lines = array.info().lines().toList();
                assertEquals(folder.resolve("array").toString(), lines.getFirst());
                assertEquals("  zarr format  3", lines.get(1));
                assertEquals("  shape        100 x 60", lines.get(2));
                assertEquals("  data type    int16", lines.get(3));
                assertEquals("  fill value   0", lines.get(4));
                assertEquals("  shards       50 x 60", lines.get(5));
                assertEquals("  chunks       10 x 20", lines.get(6));
                assertEquals("  chunk keys   c/0/0", lines.getLast());
            }
        }
    }
}
