package io.zarrengine.bench.arrays;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An array of the comparison. Its shape is a multiple of the shapes of its chunks and inner chunks.
 */
public enum BenchArray {
    SAT_RAW(Family.SAT, ChunkEncoding.RAW),
    SAT_ZSTD(Family.SAT, ChunkEncoding.ZSTD),
    SAT_BLOSC(Family.SAT, ChunkEncoding.BLOSC_LZ4),
    SAT_GZIP(Family.SAT, ChunkEncoding.GZIP),
    VOL_16_RAW(Family.VOL, ChunkEncoding.RAW),
    VOL_16_ZSTD(Family.VOL, ChunkEncoding.ZSTD),
    VOL_32_RAW(Family.VOL, ChunkEncoding.RAW),
    VOL_32_BLOSC(Family.VOL, ChunkEncoding.BLOSC_LZ4),
    ERA_ZSTD(Family.ERA, ChunkEncoding.ZSTD),
    WHOLE_RAW(Family.WHOLE, ChunkEncoding.RAW),
    WHOLE_ZSTD(Family.WHOLE, ChunkEncoding.ZSTD),
    WHOLE_SHARDED(Family.WHOLE, ChunkEncoding.ZSTD);

    /** Shapes; {@code inner} is empty without shards. */
    private record Layout(
            NumericType type, List<Integer> shape, List<Integer> chunk, List<Integer> inner) {}

    private final Family family;
    private final ChunkEncoding encoding;

    BenchArray(Family family, ChunkEncoding encoding) {
        this.family = family;
        this.encoding = encoding;
    }

    private Layout layout() {
        return switch (this) {
            case SAT_RAW, SAT_ZSTD, SAT_BLOSC, SAT_GZIP ->
                    new Layout(
                            NumericType.INT16,
                            List.of(64, 1024, 1024, 8),
                            List.of(16, 512, 512, 8),
                            List.of(1, 64, 64, 8));
            case VOL_16_RAW, VOL_16_ZSTD -> vol(16);
            case VOL_32_RAW, VOL_32_BLOSC -> vol(32);
            case ERA_ZSTD ->
                    new Layout(
                            NumericType.FLOAT32,
                            List.of(48, 13, 640, 1280),
                            List.of(1, 1, 640, 1280),
                            List.of());
            case WHOLE_RAW, WHOLE_ZSTD -> whole(List.of());
            case WHOLE_SHARDED -> whole(List.of(64, 64, 64));
        };
    }

    private static Layout vol(int inner) {
        return new Layout(
                NumericType.UINT8,
                List.of(512, 512, 512),
                List.of(256, 256, 256),
                List.of(inner, inner, inner));
    }

    private static Layout whole(List<Integer> inner) {
        return new Layout(
                NumericType.UINT16, List.of(1024, 1024, 1024), List.of(256, 256, 256), inner);
    }

    public Family family() {
        return family;
    }

    public ChunkEncoding encoding() {
        return encoding;
    }

    public NumericType type() {
        return layout().type();
    }

    public Texture texture() {
        return family.texture();
    }

    public long[] shape() {
        return longs(layout().shape());
    }

    /** {@return the shape of a chunk, or of a shard} */
    public long[] chunkShape() {
        return longs(layout().chunk());
    }

    /** {@return the shape of an inner chunk, or of a chunk without shards} */
    public long[] innerShape() {
        return layout().inner().isEmpty() ? chunkShape() : longs(layout().inner());
    }

    boolean isSharded() {
        return !layout().inner().isEmpty();
    }

    /** {@return the name of its folder} */
    public String folder() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".zarr";
    }

    /** {@return the array of the same layout that this one is made from, uncompressed} */
    public BenchArray uncompressed() {
        return Arrays.stream(values())
                .filter(array ->
                        array.encoding == ChunkEncoding.RAW && array.layout().equals(layout()))
                .findFirst()
                .orElseThrow();
    }

    public ArrayMetadata metadata() {
        List<CodecSpec> codecs = encoding.codecs(zstdLevel());
        return ArrayMetadata.builder(type(), shape())
                .chunkShape(chunkShape())
                .fillValue(neverAFill())
                .codecs(
                        isSharded()
                                ? List.of(
                                        CodecSpec.sharding(
                                                innerShape(), codecs.toArray(CodecSpec[]::new)))
                                : codecs)
                .build();
    }

    /**
     * Returns a fill value that no chunk consists of, because a chunk that is not stored would be
     * less work.
     */
    private byte[] neverAFill() {
        byte[] element = new byte[type().byteSize()];
        Arrays.fill(element, (byte) 0x7f);
        return element;
    }

    private int zstdLevel() {
        return switch (family) {
            case SAT, ERA -> 3;
            case VOL -> 1;
            case WHOLE -> 0; // zstd's default, as in zarr_benchmarks
        };
    }

    private static long[] longs(List<Integer> values) {
        return values.stream().mapToLong(Integer::longValue).toArray();
    }
}
