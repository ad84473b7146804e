package io.zarrengine.cli;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Creates uncompressed arrays for tests, which every machine can write and read. */
final class SmallArrays {
    private SmallArrays() {}

    /** Opens a small engine that is quick to open. */
    private static ZarrEngine writer() {
        return ZarrEngine.builder()
                .workers(1)
                .budgetBytes(16 << 20)
                .io(ZarrEngine.Io.CHANNEL)
                .open();
    }

    /** Writes int16; each element is its index in C order. */
    static Path counting(Path folder, long[] shape, long[] chunk) {
        return counting(folder, shape, chunk, List.of(CodecSpec.bytes()));
    }

    /** Writes the metadata of an array of two strings without a chunk. */
    static Path strings(Path folder) throws IOException {
        Files.writeString(
                Files.createDirectory(folder).resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "string",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
                 "chunk_key_encoding": "default", "fill_value": "é", "codecs": ["vlen-utf8"]}
                """);
        return folder;
    }

    /** Writes the same in shards. */
    static Path countingShards(Path folder, long[] shape, long[] shard, long[] inner) {
        return counting(
                folder, shape, shard, List.of(CodecSpec.sharding(inner, CodecSpec.bytes())));
    }

    private static Path counting(Path folder, long[] shape, long[] chunk, List<CodecSpec> codecs) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, shape)
                        .chunkShape(chunk)
                        .codecs(codecs)
                        .build();
        try (ZarrEngine engine = writer()) {
            engine.createArray(folder, metadata)
                    .writeAll((coordinates, elements) -> {
                        for (long i = 0; i < elements.byteSize() / Short.BYTES; i++) {
                            short number = (short) number(coordinates, shape, chunk, i);
                            elements.setAtIndex(JAVA_SHORT, i, number);
                        }
                    });
        }
        return folder;
    }

    /** Returns the index in the array of element {@code i} of a chunk. */
    private static long number(long[] coordinates, long[] shape, long[] chunk, long i) {
        long number = 0;
        long numberStride = 1;
        long rest = i;
        for (int d = shape.length - 1; d >= 0; d--) {
            number += (coordinates[d] * chunk[d] + rest % chunk[d]) * numberStride;
            numberStride *= shape[d];
            rest /= chunk[d];
        }
        return number;
    }

    /** Writes float32 in one chunk. */
    static Path floats(Path folder, long[] shape, float... values) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.FLOAT32, shape)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine engine = writer()) {
            engine.createArray(folder, metadata)
                    .writeAll((coordinates, elements) -> {
                        for (int i = 0; i < values.length; i++) {
                            elements.setAtIndex(JAVA_FLOAT, i, values[i]);
                        }
                    });
        }
        return folder;
    }

    /** Creates an array without any chunk, which reads as zeros. */
    static Path empty(Path folder, DataType type, long... shape) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, shape)
                        .chunkShape(shape.length == 0 ? shape : ones(shape.length))
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine engine = writer()) {
            engine.createArray(folder, metadata);
        }
        return folder;
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Creates a group. */
    static Path group(Path folder, Map<String, Object> attributes) {
        try (ZarrEngine engine = writer()) {
            engine.createGroup(folder, new GroupMetadata(attributes));
        }
        return folder;
    }
}
