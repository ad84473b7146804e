package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the {@code chunk_grid} of a {@code zarr.json}. */
final class ChunkGridReader {
    /**
     * Maximum number of chunks of a dimension with individual lengths. Their lengths take 32 MiB.
     */
    private static final int LISTED_MAX = 1 << 22;

    private final JsonFields configuration;
    private final long[] shape;

    private ChunkGridReader(JsonFields configuration, long[] shape) {
        this.configuration = configuration;
        this.shape = shape;
    }

    /**
     * Returns the grid of an array.
     *
     * @param grid the {@code chunk_grid}
     * @param shape the shape of the array
     * @throws io.zarrengine.zarr.errors.FormatException if the grid is invalid or unknown
     */
    static ChunkGrid read(JsonFields grid, long[] shape) {
        String name = grid.string("name");
        return switch (name) {
            case "regular" ->
                    ChunkGrid.regular(lengths(grid.object("configuration"), "chunk_shape", shape));
            case "rectilinear" ->
                    new ChunkGridReader(grid.object("configuration"), shape).rectilinear();
            default ->
                    throw grid.error(
                            "name",
                            "is "
                                    + JsonWriter.show(name)
                                    + ", expected \"regular\" or \"rectilinear\"");
        };
    }

    /**
     * Returns the lengths of chunks. Chunks of a dimension without elements may have length 0,
     * which counts as 1.
     *
     * @param shape the shape of the array
     */
    static long[] lengths(JsonFields fields, String name, long[] shape) {
        long[] lengths = fields.integers(name, 0, Long.MAX_VALUE);
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] == 0 && i < shape.length && shape[i] == 0) {
                lengths[i] = 1;
            }
        }
        return lengths;
    }

    private ChunkGrid rectilinear() {
        String kind = configuration.string("kind");
        if (!kind.equals("inline")) {
            throw configuration.error(
                    "kind", "is " + JsonWriter.show(kind) + ", expected \"inline\"");
        }
        List<?> wanted = configuration.array("chunk_shapes");
        if (wanted.size() != shape.length) {
            throw configuration.error(
                    "chunk_shapes",
                    "has " + wanted.size() + " entries, the array " + shape.length + " dimensions");
        }
        List<ChunkEdges> dimensions = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            dimensions.add(edges("chunk_shapes[" + d + "]", wanted.get(d), shape[d]));
        }
        return new ChunkGrid(dimensions);
    }

    /** Parses one length for all chunks, or a list of lengths and of runs of equal lengths. */
    private ChunkEdges edges(String place, Object wanted, long length) {
        if (wanted instanceof Long regular && regular > 0) {
            return ChunkEdges.regular(regular);
        }
        if (!(wanted instanceof List<?> list)) {
            throw configuration.error(
                    place,
                    "is " + JsonWriter.show(wanted) + ", expected a length or a list of them");
        }
        long[] lengths = new long[16];
        int count = 0;
        long covered = 0; // in positions
        long longest = 1; // 1 for an empty list
        for (Object entry : list) {
            long run = runLength(place, entry);
            long edge = edgeLength(place, entry);
            longest = Math.max(longest, edge);
            // The engine never reads chunks beyond the array.
            for (long i = 0; i < run && covered < length; i++) {
                if (count == LISTED_MAX) {
                    throw configuration.error(place, "has more than " + LISTED_MAX + " chunks");
                }
                if (count == lengths.length) {
                    lengths = Arrays.copyOf(lengths, 2 * count);
                }
                lengths[count++] = edge;
                if (edge > Long.MAX_VALUE - covered) {
                    throw configuration.error(place, "covers more than 63 bits");
                }
                covered += edge;
            }
        }
        if (covered < length) {
            throw configuration.error(
                    place, "covers " + covered + " positions, the array has " + length);
        }
        return count == 0
                ? ChunkEdges.regular(longest) // A dimension of length 0 has no chunks.
                : ChunkEdges.of(Arrays.copyOf(lengths, count));
    }

    private long edgeLength(String place, Object entry) {
        Object edge = entry instanceof List<?> run ? run.getFirst() : entry;
        if (edge instanceof Long length && length > 0 && length <= Long.MAX_VALUE / 4) {
            return length;
        }
        throw configuration.error(place, "holds " + JsonWriter.show(entry) + ", no chunk length");
    }

    private long runLength(String place, Object entry) {
        if (!(entry instanceof List<?> run)) {
            return 1;
        }
        if (run.size() == 2 && run.getLast() instanceof Long count && count > 0) {
            return count;
        }
        throw configuration.error(
                place, "holds " + JsonWriter.show(entry) + ", expected a length and a count");
    }
}
