package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Packed elements of a few bits each: {@code packbits}, and numcodecs' codec of that name, which
 * puts the first element into the highest bit.
 *
 * @param name in metadata
 * @param type the type of the elements; for a complex type, the type of its parts
 * @param layout the positions of the bits
 * @param elements number of elements; twice as many for a complex type
 * @see <a
 *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/packbits">zarr-extensions,
 *     packbits</a>
 */
record PackedBits(String name, NumericType type, Layout layout, long elements)
        implements ArrayFilter {
    /** The position of the number of unused bits. */
    enum Padding {
        NONE,
        FIRST_BYTE,
        LAST_BYTE
    }

    /**
     * The positions of the bits.
     *
     * @param padding the position of the number of unused bits
     * @param firstBit the lowest stored bit of an element
     * @param bits number of stored bits of an element
     * @param highestFirst whether the first element is in the highest bit of a byte
     */
    record Layout(Padding padding, int firstBit, int bits, boolean highestFirst) {}

    @Override
    public long encodedBytes() {
        return packedBytes() + (layout.padding == Padding.NONE ? 0 : 1);
    }

    private long packedBytes() {
        return Math.ceilDiv(elements * layout.bits, Byte.SIZE);
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        long unused = packedBytes() * Byte.SIZE - elements * layout.bits;
        if (layout.padding != Padding.NONE) {
            long at = layout.padding == Padding.FIRST_BYTE ? 0 : packedBytes();
            byte stored = encoded.get(JAVA_BYTE, at);
            if (stored != unused) {
                throw new CodecException(
                        name, "says that " + stored + " bits are unused, expected " + unused);
            }
        }
        MemorySegment packed =
                encoded.asSlice(layout.padding == Padding.FIRST_BYTE ? 1 : 0, packedBytes());
        for (long i = 0; i < elements; i++) {
            long bits = unpack(packed, i * layout.bits) << layout.firstBit;
            Numbers.setBits(type, decoded, i, extended(bits));
        }
    }

    private long unpack(MemorySegment packed, long from) {
        long bits = 0;
        for (int i = 0; i < layout.bits; i++) {
            long at = from + i;
            int shift = (int) (at % Byte.SIZE);
            int value = packed.get(JAVA_BYTE, at / Byte.SIZE);
            long bit = value >> (layout.highestFirst ? Byte.SIZE - 1 - shift : shift) & 1;
            bits |= bit << i;
        }
        return bits;
    }

    /** Extends the sign of a signed number, also beyond the bits of its type in a byte. */
    private long extended(long bits) {
        int unused = Long.SIZE - layout.firstBit - layout.bits;
        return type.kind() == Kind.SIGNED ? bits << unused >> unused : bits;
    }
}
