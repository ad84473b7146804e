package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
     * @param options more options of the JVM
     */
    static List<String> read(
            Path folder, int side, int inner, int mebibytes, Class<?> main, String... options)
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
                Stream.concat(
                                Stream.of(
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-Xmx" + mebibytes + "m"),
                                Arrays.stream(options))
                        .toList(),
                _ -> true,
                main,
                folder);
    }
}
