package io.zarrengine.zarr.codec;

/** How elements of variable length follow one another in a chunk. */
public enum VariableLengthLayout {
    /**
     * Their number, then each one's length in bytes and its bytes; numbers are 32-bit,
     * little-endian.
     *
     * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8">
     *     zarr-extensions, vlen-utf8</a>
     */
    LENGTH_PREFIXED,

    /**
     * A JSON list of all elements in C order, then NumPy's type, then the chunk's shape.
     *
     * @see <a href="https://numcodecs.readthedocs.io/en/stable/other/json.html">numcodecs, JSON</a>
     */
    JSON
}
