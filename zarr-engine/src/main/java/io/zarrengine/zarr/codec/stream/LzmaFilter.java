package io.zarrengine.zarr.codec.stream;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;

/**
 * A filter of a raw lzma stream, as Python's {@code lzma} describes it.
 *
 * @param id of the filter, by liblzma's numbers
 * @param dictionaryBytes of LZMA and LZMA2, the longest distance of a match
 * @param literalContextBits of LZMA, "lc"
 * @param literalPositionBits of LZMA, "lp"
 * @param positionBits of LZMA, "pb"
 * @param distance of delta, in bytes
 * @see <a
 *     href="https://docs.python.org/3/library/lzma.html#specifying-custom-filter-chains">Python,
 *     lzma, "Specifying custom filter chains"</a>
 */
public record LzmaFilter(
        long id,
        long dictionaryBytes,
        int literalContextBits,
        int literalPositionBits,
        int positionBits,
        int distance) {
    public static final long DELTA = 0x03;
    public static final long LZMA2 = 0x21;
    public static final long LZMA1 = 0x4000000000000001L;

    public static final int PRESET_DEFAULT = 6; // LZMA_PRESET_DEFAULT
    static final int PRESET_MAX = 9;

    private static final long PRESET_LEVEL_MASK = 0x1f; // LZMA_PRESET_LEVEL_MASK
    private static final long UNSIGNED_INT_MAX = 0xffffffffL;

    /**
     * {@code forWriting} is whether streams will be encoded; otherwise fields that an LZMA2 stream
     * repeats are not checked.
     */
    public static LzmaFilter parse(JsonFields fields, boolean forWriting) {
        long id = fields.integer("id", 0, Long.MAX_VALUE);
        if (id != DELTA && id != LZMA2 && id != LZMA1) { // the others are for machine code
            throw fields.error("id", "is " + id + ", which is not supported; delta and LZMA are");
        }
        if (id == LZMA2 && !forWriting) {
            return new LzmaFilter(id, dictionaryBytes(fields), 3, 0, 2, 1);
        }
        return new LzmaFilter(
                id,
                dictionaryBytes(fields),
                (int) fields.integer("lc", 0, 4, 3),
                (int) fields.integer("lp", 0, 4, 0),
                (int) fields.integer("pb", 0, 4, 2),
                (int) fields.integer("dist", 1, 256, 1));
    }

    /**
     * {@return the preset of a codec or a filter, without its flags}
     *
     * @throws FormatException if it is not known
     */
    public static int preset(JsonFields fields) {
        if (fields.any("preset") == null) {
            return PRESET_DEFAULT;
        }
        long preset = fields.integer("preset", 0, UNSIGNED_INT_MAX) & PRESET_LEVEL_MASK;
        if (preset > PRESET_MAX) {
            throw fields.error("preset", "has level " + preset + ", expected 0 to " + PRESET_MAX);
        }
        return (int) preset;
    }

    private static long dictionaryBytes(JsonFields fields) {
        return fields.any("dict_size") == null
                ? dictionaryBytes(preset(fields))
                : fields.integer("dict_size", 0, UNSIGNED_INT_MAX);
    }

    /** Returns the size of a preset, from the table of xz(1), "Preset options". */
    private static long dictionaryBytes(int preset) {
        int shift =
                switch (preset) {
                    case 0 -> 18;
                    case 1 -> 20;
                    case 2 -> 21;
                    case 3, 4 -> 22;
                    case 5, 6 -> 23;
                    default -> preset + 17;
                };
        return 1L << shift;
    }
}
