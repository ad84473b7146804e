package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.filter.Categories;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The layout of elements of variable length in a chunk. */
public sealed interface VariableLengthLayout {
    /**
     * The number of elements, then the length in bytes and the bytes of each; numbers are 32-bit,
     * little-endian.
     *
     * @param text whether each element must be UTF-8
     * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8">
     *     zarr-extensions, vlen-utf8</a>
     */
    record LengthPrefixed(boolean text) implements VariableLengthLayout {}

    /**
     * A JSON list of all elements in C order, then NumPy's type, then the chunk's shape.
     *
     * @see <a href="https://numcodecs.readthedocs.io/en/stable/other/json.html">numcodecs, JSON</a>
     */
    record JsonText() implements VariableLengthLayout {}

    /**
     * Numbers of labels. 0 and numbers without a label are empty elements.
     *
     * @param numbers their type and byte order
     * @param labels the UTF-8 text of each; the first one has the number 1
     */
    record Labelled(Categories numbers, List<MemorySegment> labels)
            implements VariableLengthLayout {}
}
