package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;

/** Reads in a JVM of its own with a small heap. */
final class SmallHeap {
    private static final int SHARD = 64;

    private SmallHeap() {}

    /**
     * {@return the lines that the JVM printed}
     *
     * @param folder its argument, with the array {@code array}: ones, in gzip, in shards of 64³
     * @param side the side of the array, which is a cube of bytes
     * @param inner the side of an inner chunk
     * @param mebibytes the maximum heap size
     * @param main the main class
     */
    static List<String> read(Path folder, int side, int inner, int mebibytes, Class<?> main)
            throws Exception {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, side, side, side)
                        .chunkShape(SHARD, SHARD, SHARD)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {inner, inner, inner},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(folder.resolve("array"), metadata)
                    .writeAll((_, elements) -> elements.fill((byte) 1));
        }
        return OtherJvm.run(
                List.of(),
                List.of("--enable-native-access=ALL-UNNAMED", "-Xmx" + mebibytes + "m"),
                _ -> true,
                main,
                folder);
    }
}
