package io.zarrengine.zarr.metadata;

/**
 * How a chunk's grid coordinates become its key.
 *
 * @param style which rule
 * @param separator between coordinates: {@code "/"} or {@code "."}
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/chunk-key-encodings/index.html">Zarr
 *     v3, chunk key encodings</a>
 */
public record ChunkKeyEncoding(Style style, String separator) {
    /** The rule. */
    public enum Style {
        /** {@code c/0/1}; {@code c} for an array without dimensions. */
        DEFAULT,

        /** {@code 0.1}; {@code 0} for an array without dimensions. */
        V2
    }

    /**
     * Checks the separator.
     *
     * @param style which rule
     * @param separator between coordinates: {@code "/"} or {@code "."}
     * @throws IllegalArgumentException if it is another one
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
