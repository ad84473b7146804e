package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Chunk grid of an array.
 *
 * @param lengths the lengths of the chunks along each dimension, together at least the array's
 */
record Grid(List<List<Integer>> lengths) {
    static Grid regular(int[] shape, int[] chunkShape) {
        List<List<Integer>> lengths = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            lengths.add(covering(shape[d], chunkShape[d]));
        }
        return new Grid(lengths);
    }

    private static List<Integer> covering(int length, int chunk) {
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < length; at += chunk) {
            lengths.add(chunk);
        }
        return lengths;
    }

    /** Reads a {@code chunk_grid}. */
    static Grid parse(Map<?, ?> json, int[] shape) {
        Map<?, ?> configuration = (Map<?, ?>) json.get("configuration");
        if (json.get("name").equals("regular")) {
            return regular(shape, Shapes.of((List<?>) configuration.get("chunk_shape")));
        }
        List<List<Integer>> lengths = new ArrayList<>();
        for (Object dimension : (List<?>) configuration.get("chunk_shapes")) {
            int d = lengths.size();
            lengths.add(
                    dimension instanceof List<?> list
                            ? listed(list, shape[d])
                            : covering(shape[d], ReferenceType.integer(dimension)));
        }
        return new Grid(lengths);
    }

    private static List<Integer> listed(List<?> json, int length) {
        List<Integer> lengths = new ArrayList<>();
        int covered = 0;
        for (Object entry : json) {
            List<?> run = entry instanceof List<?> list ? list : List.of(entry, 1);
            for (int i = 0; i < ReferenceType.integer(run.get(1)) && covered < length; i++) {
                lengths.add(ReferenceType.integer(run.get(0)));
                covered += lengths.getLast();
            }
        }
        return lengths;
    }

    /** Returns the count of chunks along each dimension. */
    int[] chunks() {
        return lengths.stream().mapToInt(List::size).toArray();
    }

    int[] chunkShape(int[] chunk) {
        int[] shape = new int[chunk.length];
        for (int d = 0; d < chunk.length; d++) {
            shape[d] = lengths.get(d).get(chunk[d]);
        }
        return shape;
    }

    /**
     * Returns the position at which a chunk begins; for the chunk after the last, the end of the
     * grid.
     */
    int origin(int d, int chunk) {
        return lengths.get(d).subList(0, chunk).stream().mapToInt(Integer::intValue).sum();
    }
}
