import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Writes random arrays with the engine, for other implementations to read. Run by bin/cross-check. */
final class WriteArrays {
    private static final List<NumericType> TYPES =
            List.of(
                    NumericType.BOOL,
                    NumericType.INT8,
                    NumericType.UINT16,
                    NumericType.INT32,
                    NumericType.UINT64,
                    NumericType.FLOAT16,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64,
                    NumericType.COMPLEX64);

    /** Arguments: folder, number of arrays, seed. */
    public static void main(String[] arguments) {
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        try (ZarrEngine engine = ZarrEngine.open()) {
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                write(engine, Path.of(arguments[0], "engine-" + i), random);
            }
        }
    }

    private static void write(ZarrEngine engine, Path path, SplittableRandom random) {
        NumericType type = TYPES.get(random.nextInt(TYPES.size()));
        int rank = 1 + random.nextInt(3);
        long[] shape = new long[rank];
        long[] inner = new long[rank];
        long[] chunk = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = 1 + random.nextInt(40);
            inner[d] = 1 + random.nextInt(6);
            chunk[d] = inner[d] * (1 + random.nextInt(4));
        }
        List<CodecSpec> codecs = new ArrayList<>();
        codecs.add(CodecSpec.bytes());
        switch (random.nextInt(3)) {
            case 0 -> codecs.add(CodecSpec.zstd(random.nextInt(5)));
            case 1 -> codecs.add(CodecSpec.gzip(random.nextInt(10)));
            default -> {}
        }
        if (random.nextBoolean()) {
            codecs.add(CodecSpec.crc32c());
        }
        boolean sharded = random.nextBoolean();
        List<CodecSpec> all =
                sharded
                        ? List.of(CodecSpec.sharding(inner, codecs.toArray(CodecSpec[]::new)))
                        : codecs;
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, shape).chunkShape(chunk).codecs(all).build();
        ArrayWriter writer = engine.createArray(path, metadata);
        long seed = random.nextLong();
        writer.writeAll((coordinates, elements) -> {
            SplittableRandom ofChunk = new SplittableRandom(seed + coordinates[0]);
            for (long at = 0; at < elements.byteSize(); at++) {
                boolean bool = type == NumericType.BOOL;
                elements.set(JAVA_BYTE, at, (byte) ofChunk.nextInt(bool ? 2 : 60));
            }
        });
    }
}
