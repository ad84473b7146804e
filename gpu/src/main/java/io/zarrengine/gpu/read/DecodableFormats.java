package io.zarrengine.gpu.read;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.Map;

/**
 * The formats for which the device has a decoder. The installed nvCOMP may lack some. Threads: any.
 *
 * @param sourceAlignments the alignment in bytes that each decoder requires of source addresses
 */
record DecodableFormats(Map<NvcompFormat, Long> sourceAlignments) {
    boolean contains(NvcompFormat format) {
        return sourceAlignments.containsKey(format);
    }

    /** {@return the alignment in bytes that a format's decoder requires of source addresses} */
    long sourceAlignment(NvcompFormat format) {
        return sourceAlignments.get(format);
    }

    /** {@return the largest source alignment of all formats, in bytes} */
    long sourceAlignmentMax() {
        return sourceAlignments.values().stream().reduce(1L, Math::max);
    }
}
