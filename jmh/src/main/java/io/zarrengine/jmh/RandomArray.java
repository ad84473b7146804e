package io.zarrengine.jmh;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * An array of random bytes in one shard of uncompressed inner chunks. Owner: its creator.
 *
 * @param folder the folder that holds it
 */
record RandomArray(Path folder) {
    private static final long SEED = 42;

    static RandomArray write(long bytes, long chunkBytes) throws IOException {
        RandomArray array = new RandomArray(Files.createTempDirectory("random-array"));
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, bytes)
                        .chunkShape(bytes)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {chunkBytes}, CodecSpec.bytes())))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(array.path(), metadata)
                    .writeAll((_, elements) -> {
                        byte[] random = new byte[Math.toIntExact(elements.byteSize())];
                        new SplittableRandom(SEED).nextBytes(random);
                        elements.asByteBuffer().put(random);
                    });
        }
        return array;
    }

    Path path() {
        return folder.resolve("raw.zarr");
    }

    void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
