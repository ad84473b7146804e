package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code toString} of an object tells a debugger, log or shell what it is. */
final class PrintedTest {
    @TempDir private Path folder;

    @Test
    void printsMetadata() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 4, 6)
                        .chunkShape(2, 6)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        assertEquals(
                "array of Zarr v3 {\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[4,6],"
                        + "\"data_type\":\"int16\",\"chunk_grid\":{\"name\":\"regular\","
                        + "\"configuration\":{\"chunk_shape\":[2,6]}},\"chunk_key_encoding\":"
                        + "{\"name\":\"default\",\"configuration\":{\"separator\":\"/\"}},"
                        + "\"fill_value\":0,\"codecs\":[{\"name\":\"bytes\",\"configuration\":"
                        + "{\"endian\":\"little\"}},{\"name\":\"gzip\",\"configuration\":"
                        + "{\"level\":1}}],\"attributes\":{}}",
                metadata.toString());
        assertEquals("gzip {\"level\":1}", CodecSpec.gzip(1).toString());
        assertEquals("crc32c", CodecSpec.crc32c().toString());
        assertEquals(
                "group of Zarr v3, attributes {\"a\":[1,\"b\"]}",
                new GroupMetadata(Map.of("a", List.of(1, "b"))).toString());
    }

    @Test
    void printsTheEngineAndItsNodes() {
        ZarrEngineBuilder options = ZarrEngine.builder().workers(3).budgetBytes(64 << 20);
        assertTrue(options.toString().contains(" workers 3, budgetBytes 67108864, io AUTO,"));
        assertTrue(options.toString().contains(", deviceBudgetBytes half of what is free,"));
        try (ZarrEngine engine = options.io(ZarrEngine.Io.CHANNEL).open()) {
            assertEquals(
                    "engine of 3 workers, 67108864 bytes, reading by CHANNEL", engine.toString());
            Path path = folder.resolve("a");
            ArrayMetadata metadata = ArrayMetadata.builder(NumericType.INT16, 4, 6).build();
            ArrayWriter writer = engine.createArray(path, metadata);
            assertEquals("writer of " + path + ": int16[4, 6]", writer.toString());
            Sampler rows = Sampler.of(List.of(Selection.of("0"), Selection.of("1")));
            try (ZarrArray array = engine.openArray(path);
                    var loader = Loader.of(array, rows).open()) {
                assertEquals(path + ": int16[4, 6]", array.toString());
                loader.iterator().next().close();
                assertEquals(
                        "loader of " + path + ": int16[4, 6], epoch 0, sample 1",
                        loader.toString());
            }
        }
    }
}
