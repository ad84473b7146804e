package io.zarrengine.bench.loader;

import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An array of 64 fields of 1024 x 1024, in chunks of 256 x 256: smooth waves with noise.
 *
 * @param name of its folder
 * @param type float32, or int16 packed by the CF conventions
 * @param isCompressed whether chunks are zstd
 */
record LoaderArray(String name, NumericType type, boolean isCompressed) {
    static final List<LoaderArray> ALL =
            List.of(
                    new LoaderArray("float32-raw", NumericType.FLOAT32, false),
                    new LoaderArray("float32-zstd", NumericType.FLOAT32, true),
                    new LoaderArray("int16-zstd", NumericType.INT16, true));

    private static final long[] SHAPE = {64, 1024, 1024};
    private static final long[] CHUNK = {1, 256, 256};

    /** Opens the array; writes it the first time. */
    ZarrArray open(ZarrEngine engine, Path folder) {
        Path path = folder.resolve(name);
        if (!Files.exists(path.resolve("complete"))) {
            write(engine, path);
        }
        return engine.openArray(path);
    }

    private void write(ZarrEngine engine, Path path) {
        List<CodecSpec> codecs = new ArrayList<>(List.of(CodecSpec.bytes()));
        if (isCompressed) {
            codecs.add(CodecSpec.zstd(3));
        }
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, SHAPE)
                        .chunkShape(CHUNK)
                        .codecs(codecs)
                        .attributes(
                                Map.of(
                                        "scale_factor", 0.01,
                                        "add_offset", 250.0,
                                        "_FillValue", -32767))
                        .build();
        engine.createArray(path, metadata).writeAll(this::fill);
        try {
            Files.createFile(path.resolve("complete"));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void fill(long[] chunk, MemorySegment elements) {
        SplittableRandom random = new SplittableRandom(chunk[0] * 16 + chunk[1] * 4 + chunk[2]);
        for (int i = 0; i < CHUNK[1] * CHUNK[2]; i++) {
            double wave = Math.sin((double) (i % CHUNK[2]) / 40) + Math.cos(i / 256 / 31.0);
            double noise = Math.rint(random.nextGaussian() * 8);
            double value = 280 + 10 * wave + noise / 64;
            if (type == NumericType.FLOAT32) {
                elements.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
            } else {
                short packed = (short) (noise == 16 ? -32767 : Math.rint((value - 250) / 0.01));
                elements.setAtIndex(ValueLayout.JAVA_SHORT, i, packed);
            }
        }
    }
}
