package io.zarrengine.zarr.shuffle;

import static io.zarrengine.zarr.shuffle.VectorZip.VECTOR_BYTES;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Undoes {@link BitShuffle} with vectors, to planes of bytes: zips 8 rows of bits to longs as if
 * they were planes of bytes, and transposes each long, which is an 8 x 8 matrix of bits.
 */
final class VectorBitShuffle {
    private VectorBitShuffle() {}

    /**
     * Makes planes of bytes from the first bytes of rows of bits.
     *
     * @param rows shape {@code (8 * elementBytes, rowBytes)}
     * @param planes shape {@code (elementBytes, 8 * rowBytes)}; other memory
     * @param end number of bytes of each row; a multiple of {@link VectorZip#VECTOR_BYTES}
     */
    static void toPlanes(
            MemorySegment rows, MemorySegment planes, int elementBytes, long rowBytes, long end) {
        for (int b = 0; b < elementBytes; b++) {
            long plane = 8 * rowBytes * b; // of both: 8 rows are as long as a plane
            MemorySegment bits = rows.asSlice(plane, 8 * rowBytes);
            if (end > 0) {
                VectorByteShuffle.unshuffle(
                        ShuffleKernel.planes(bits, 8), ElementRows.one(0, end, planes, plane));
            }
            for (long at = plane; at < plane + 8 * end; at += VECTOR_BYTES) {
                LongVector matrices = VectorZip.loadLongs(planes, at);
                VectorZip.store(transpose(matrices), planes, at);
            }
        }
    }

    /** Does the same as {@link PlainKernel#transpose} in each lane. */
    private static LongVector transpose(LongVector rows) {
        LongVector x = swap(rows, 7, 0x00aa00aa00aa00aaL);
        x = swap(x, 14, 0x0000cccc0000ccccL);
        return swap(x, 28, 0x00000000f0f0f0f0L);
    }

    private static LongVector swap(LongVector x, int distance, long mask) {
        LongVector bits =
                x.lanewise(VectorOperators.XOR, x.lanewise(VectorOperators.LSHR, distance))
                        .and(mask);
        return x.lanewise(VectorOperators.XOR, bits)
                .lanewise(VectorOperators.XOR, bits.lanewise(VectorOperators.LSHL, distance));
    }
}
