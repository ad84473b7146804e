package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Generator of random arrays: rank 0 to 4, odd shapes, nested shards, transposes, chains of codecs.
 */
public final class RandomMetadata {
    private static final List<NumericType> TYPES =
            List.of(
                    NumericType.UINT8,
                    NumericType.INT16,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64,
                    NumericType.COMPLEX128);

    private final SplittableRandom random;

    public RandomMetadata(SplittableRandom random) {
        this.random = random;
    }

    public ArrayMetadata next() {
        int rank = random.nextInt(5);
        int lengthMax = new int[] {1, 400, 40, 16, 9}[rank];
        long[] shape = random.longs(rank, 1, lengthMax + 1L).toArray();
        long[] chunk = new long[rank];
        // Products of small factors divide well into shards.
        Arrays.setAll(chunk, d -> (1L + random.nextInt(4)) * (1 + random.nextInt(4)));
        NumericType type = TYPES.get(random.nextInt(TYPES.size()));
        byte[] fill = new byte[type.byteSize()];
        if (random.nextBoolean()) {
            random.nextBytes(fill);
        }
        return ArrayMetadata.builder(type, shape)
                .chunkShape(chunk)
                .codecs(codecs(chunk, random.nextInt(3)))
                .fillValue(fill)
                .chunkKeyEncoding(
                        new ChunkKeyEncoding(
                                random.nextBoolean()
                                        ? ChunkKeyEncoding.Style.DEFAULT
                                        : ChunkKeyEncoding.Style.V2,
                                random.nextBoolean() ? "/" : "."))
                .build();
    }

    /**
     * Returns an array of elements that are stored as they are, in either byte order, in chunks of
     * 2,500 to 14,400, or in shards of them.
     */
    public ArrayMetadata nextOfLargeRawChunks() {
        int rank = 1 + random.nextInt(4);
        int root = new int[] {2500, 50, 14, 8}[rank - 1];
        long[] inner = random.longs(rank, root, 1 + (long) (root * 1.32)).toArray();
        inner[random.nextInt(rank)] += random.nextInt(root);
        List<CodecSpec> codecs = new ArrayList<>();
        addTransposes(codecs, inner);
        codecs.add(
                new CodecSpec("bytes", Map.of("endian", random.nextBoolean() ? "little" : "big")));
        long[] chunk = inner;
        if (random.nextInt(3) == 0) {
            codecs = List.of(sharding(inner, codecs));
            chunk = inner.clone();
            chunk[random.nextInt(rank)] *= 2;
        }
        long[] shape = Arrays.stream(chunk).map(length -> length + random.nextInt(9)).toArray();
        return ArrayMetadata.builder(TYPES.get(random.nextInt(TYPES.size())), shape)
                .chunkShape(chunk)
                .codecs(codecs)
                .build();
    }

    /** Adds transposes, and returns the shape after them. */
    private long[] addTransposes(List<CodecSpec> codecs, long[] chunk) {
        long[] shape = chunk;
        while (random.nextInt(3) == 0) {
            int[] order = order(chunk.length);
            codecs.add(CodecSpec.transpose(order));
            long[] before = shape;
            shape = Arrays.stream(order).mapToLong(d -> before[d]).toArray();
        }
        return shape;
    }

    /** Returns a codec chain for chunks of a shape, with {@code depth} levels of shards. */
    private List<CodecSpec> codecs(long[] chunk, int depth) {
        List<CodecSpec> codecs = new ArrayList<>();
        long[] shape = addTransposes(codecs, chunk);
        if (depth == 0) {
            addLeaf(codecs);
        } else {
            long[] inner = Arrays.stream(shape).map(this::divisor).toArray();
            codecs.add(sharding(inner, codecs(inner, depth - 1)));
            if (random.nextInt(6) == 0) {
                codecs.add(CodecSpec.gzip(1));
            }
        }
        return codecs;
    }

    private long divisor(long length) {
        long divisor = 1 + random.nextLong(length);
        while (length % divisor != 0) {
            divisor--;
        }
        return divisor;
    }

    private void addLeaf(List<CodecSpec> codecs) {
        String endian = random.nextBoolean() ? "little" : "big";
        codecs.add(new CodecSpec("bytes", Map.of("endian", endian)));
        boolean zstd = NativeLibrary.LIBZSTD.isAvailable();
        for (int n = random.nextInt(4); n > 0; n--) {
            codecs.add(
                    switch (random.nextInt(zstd ? 3 : 2)) {
                        case 0 -> CodecSpec.crc32c();
                        case 1 -> CodecSpec.gzip(random.nextInt(10));
                        default -> CodecSpec.zstd(random.nextInt(5));
                    });
        }
    }

    private CodecSpec sharding(long[] inner, List<CodecSpec> codecs) {
        CodecSpec usual = CodecSpec.sharding(inner, codecs.toArray(CodecSpec[]::new));
        Map<String, Object> configuration = new LinkedHashMap<>(usual.configuration());
        List<Object> indexCodecs = new ArrayList<>();
        String endian = random.nextBoolean() ? "little" : "big";
        indexCodecs.add(Map.of("name", "bytes", "configuration", Map.of("endian", endian)));
        if (random.nextBoolean()) {
            indexCodecs.add(Map.of("name", "crc32c"));
        }
        configuration.put("index_codecs", indexCodecs);
        configuration.put("index_location", random.nextBoolean() ? "start" : "end");
        return new CodecSpec(usual.name(), configuration);
    }

    private int[] order(int rank) {
        List<Integer> order = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            order.add(d);
        }
        Collections.shuffle(order, new Random(random.nextLong()));
        return order.stream().mapToInt(d -> d).toArray();
    }

    /** Returns a random strided box of an array. */
    BoxPositions box(long[] shape) {
        long[] offset = new long[shape.length];
        long[] count = new long[shape.length];
        long[] step = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            step[d] = random.nextInt(3) == 0 ? 1 + random.nextInt(7) : 1;
            offset[d] = random.nextLong(shape[d]);
            count[d] = 1 + random.nextLong((shape[d] - 1 - offset[d]) / step[d] + 1);
            if (random.nextInt(40) == 0) {
                count[d] = 0;
            }
        }
        return new BoxPositions(offset, count, step);
    }
}
