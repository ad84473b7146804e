package io.zarrengine.gpu.chunk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.cuda.PieceBatch.Source;
import java.lang.foreign.MemorySegment;

/**
 * One element in native byte order, in the form that our kernels take.
 *
 * @param low its first 8 bytes, little-endian
 * @param high its next 8 bytes
 */
public record FillElement(long low, long high) {
    private static final int BYTES_MAX = 16;

    /** {@return whether our kernels can fill with elements of this size in bytes} */
    public static boolean fits(long elementBytes) {
        return elementBytes <= BYTES_MAX && Long.bitCount(elementBytes) == 1;
    }

    public static FillElement of(MemorySegment element) {
        return new FillElement(word(element, 0), word(element, Long.BYTES));
    }

    private static long word(MemorySegment element, long from) {
        long word = 0;
        long end = Math.min(element.byteSize(), from + Long.BYTES);
        for (long i = from; i < end; i++) {
            word |= Byte.toUnsignedLong(element.get(JAVA_BYTE, i)) << (8 * (i - from));
        }
        return word;
    }

    public Source.Fill source() {
        return new Source.Fill(low, high);
    }
}
