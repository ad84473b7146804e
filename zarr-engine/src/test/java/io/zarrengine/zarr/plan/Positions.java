package io.zarrengine.zarr.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Slow twin of all plans: each position of a region, one by one. */
public final class Positions {
    /** Visitor of positions, each with its byte offset in the target. */
    public interface Visitor {
        void visit(long[] position, long targetByte);
    }

    private Positions() {}

    /** Visits all positions, in C order. */
    public static void forEach(Region region, Visitor visitor) {
        forEach(region, 0, new long[region.rank()], region.targetOffset(), visitor);
    }

    private static void forEach(
            Region region, int d, long[] position, long targetByte, Visitor visitor) {
        if (d == region.rank()) {
            visitor.visit(position.clone(), targetByte);
            return;
        }
        for (long i = 0; i < region.count(d); i++) {
            position[d] = region.start(d) + i * region.step(d);
            forEach(region, d + 1, position, targetByte + i * region.targetStride(d), visitor);
        }
    }

    /**
     * Returns the target byte of each element of each chunk: {@code "chunk position" -> byte}.
     *
     * @throws AssertionError if an element is there twice
     */
    static Map<String, Long> expected(Region region, long[] chunkShape) {
        Map<String, Long> bytes = new TreeMap<>();
        forEach(
                region,
                (position, targetByte) -> {
                    List<Long> chunk = new ArrayList<>();
                    List<Long> inChunk = new ArrayList<>();
                    for (int d = 0; d < position.length; d++) {
                        chunk.add(position[d] / chunkShape[d]);
                        inChunk.add(position[d] % chunkShape[d]);
                    }
                    put(bytes, chunk, inChunk, targetByte);
                });
        return bytes;
    }

    static void put(Map<String, Long> bytes, List<Long> chunk, List<Long> inChunk, long at) {
        if (bytes.put(chunk + " " + inChunk, at) != null) {
            throw new AssertionError(inChunk + " of chunk " + chunk + " is there twice");
        }
    }

    /** Adds the positions of one piece. */
    static void put(Map<String, Long> bytes, long[] chunk, Region part) {
        List<Long> coordinates = LongStream.of(chunk).boxed().toList();
        forEach(
                part,
                (position, at) ->
                        put(bytes, coordinates, LongStream.of(position).boxed().toList(), at));
    }

    /** Returns a description of all fields of a region, to compare. */
    static String describe(Region region) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < region.rank(); d++) {
            text.append(region.start(d)).append(' ').append(region.step(d)).append(' ');
            text.append(region.count(d)).append(' ').append(region.targetStride(d)).append(", ");
        }
        return text.append(region.targetOffset()).toString();
    }

    /** Returns a random region of an array; not empty if the array is not. */
    static Region random(SplittableRandom random, long[] shape) {
        int rank = shape.length;
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] targetStride = new long[rank];
        for (int d = 0; d < rank; d++) {
            start[d] = random.nextLong(Math.max(shape[d], 1));
            step[d] = 1 + random.nextLong(random.nextBoolean() ? 2 : 9);
            long most = Math.ceilDiv(shape[d] - start[d], step[d]);
            count[d] = most == 0 ? 0 : 1 + random.nextLong(most);
            targetStride[d] = random.nextLong(-1000, 1000);
        }
        return new Region(start, step, count, targetStride, random.nextLong(1000));
    }
}
