package io.zarrengine.zarr.metadata;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rule that converts a chunk's grid coordinates to its key.
 *
 * @param style the form of the key
 * @param separator between coordinates: {@code "/"} or {@code "."}
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/chunk-key-encodings/index.html">Zarr
 *     v3, chunk key encodings</a>
 */
public record ChunkKeyEncoding(Style style, String separator) {
    /** All rules, of which a writer may have used another one than the metadata names. */
    public static final List<ChunkKeyEncoding> ALL =
            List.of(
                    new ChunkKeyEncoding(Style.DEFAULT, "/"),
                    new ChunkKeyEncoding(Style.DEFAULT, "."),
                    new ChunkKeyEncoding(Style.V2, "/"),
                    new ChunkKeyEncoding(Style.V2, "."));

    private static final Pattern COORDINATE = Pattern.compile("0|[1-9][0-9]{0,18}");

    /** The form of a key. */
    public enum Style {
        /** {@code c/0/1}; {@code c} for an array without dimensions. */
        DEFAULT,

        /** {@code 0.1}; {@code 0} for an array without dimensions. */
        V2
    }

    /**
     * Checks the separator.
     *
     * @param style the form of the key
     * @param separator between coordinates: {@code "/"} or {@code "."}
     * @throws IllegalArgumentException if the separator is another one
     */
    public ChunkKeyEncoding {
        if (!isSeparator(separator)) {
            throw new IllegalArgumentException(
                    "separator is \"" + separator + "\", expected \"/\" or \".\"");
        }
    }

    static boolean isSeparator(String text) {
        return text.equals("/") || text.equals(".");
    }

    /**
     * {@return whether a key names a chunk within the grid}
     *
     * @param key relative to the array
     * @param gridShape the number of chunks along each dimension
     */
    public boolean isKey(String key, long... gridShape) {
        int rank = gridShape.length;
        String coordinates = key;
        if (style == Style.DEFAULT) {
            String prefix = rank == 0 ? "c" : "c" + separator;
            if (!key.startsWith(prefix)) {
                return false;
            }
            coordinates = key.substring(prefix.length());
        }
        if (rank == 0) {
            return coordinates.equals(style == Style.DEFAULT ? "" : "0");
        }
        String[] parts = coordinates.split(Pattern.quote(separator), -1);
        boolean isKey = parts.length == rank;
        for (int d = 0; isKey && d < rank; d++) {
            isKey = isBelow(parts[d], gridShape[d]);
        }
        return isKey;
    }

    /**
     * {@return whether a key names a chunk of some grid}
     *
     * @param key relative to the array
     * @param rank number of dimensions
     */
    public boolean isKeyOfRank(String key, int rank) {
        long[] endless = new long[rank];
        Arrays.fill(endless, Long.MAX_VALUE);
        return isKey(key, endless);
    }

    /**
     * {@return whether a path is the key of a chunk of some grid, or of a folder that keys contain}
     *
     * @param path relative to the array, with slashes
     * @param rank number of dimensions
     */
    public boolean isKeyOrAbove(String path, int rank) {
        int missing = names(key(new long[rank])) - names(path);
        return missing >= 0 && isKeyOfRank(path + "/0".repeat(missing), rank);
    }

    private static int names(String path) {
        return path.split("/", -1).length;
    }

    private static boolean isBelow(String coordinate, long end) {
        try {
            return COORDINATE.matcher(coordinate).matches() && Long.parseLong(coordinate) < end;
        } catch (NumberFormatException e) { // the number exceeds 63 bits
            return false;
        }
    }

    /**
     * {@return the key of a chunk, relative to the array}
     *
     * @param coordinates of the chunk in the grid
     */
    public String key(long... coordinates) {
        StringBuilder key = new StringBuilder();
        if (style == Style.DEFAULT) {
            key.append('c');
        } else if (coordinates.length == 0) {
            key.append('0');
        }
        for (int i = 0; i < coordinates.length; i++) {
            if (i > 0 || style == Style.DEFAULT) {
                key.append(separator);
            }
            key.append(coordinates[i]);
        }
        return key.toString();
    }
}
