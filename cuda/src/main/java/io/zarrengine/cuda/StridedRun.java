package io.zarrengine.cuda;

/**
 * The dimensions of a piece. Dimensions that are contiguous in source and target are merged, and
 * lengths are counted in the widest units that a thread can move at once.
 *
 * <p>Threads: one. It is filled again for every piece.
 */
final class StridedRun {
    private static final int DIMENSIONS_MAX =
            PieceBatch.RANK_MAX + 1; // and the bytes of an element

    /** The maximum bytes that a thread loads or stores at once. */
    static final int UNIT_BYTES_MAX = 16;

    private final long[] shape = new long[DIMENSIONS_MAX];
    private final long[] sourceStrides = new long[DIMENSIONS_MAX];
    private final long[] targetStrides = new long[DIMENSIONS_MAX];
    private int rank;

    /**
     * Sets the dimensions, counted in bytes: an element becomes an innermost dimension. No length
     * may be 0.
     */
    void reset(long[] lengths, long[] source, long[] target, int elementBytes) {
        rank = 0;
        for (int i = 0; i < lengths.length; i++) {
            append(lengths[i], source[i] * elementBytes, target[i] * elementBytes);
        }
        append(elementBytes, 1, 1);
    }

    /**
     * Sets the dimensions, counted in elements; strides are elements in the source and bytes in the
     * target.
     */
    void resetElements(long[] lengths, long[] source, long[] target, int elementBytes) {
        rank = 0;
        for (int i = 0; i < lengths.length; i++) {
            // Merged in elements on both sides first, so that one test of contiguity fits both.
            append(lengths[i], source[i], target[i]);
        }
        for (int i = 0; i < rank; i++) {
            targetStrides[i] *= elementBytes;
        }
    }

    /**
     * Adds a dimension inside the others. A dimension that continues the last one makes that
     * longer.
     */
    private void append(long length, long sourceStride, long targetStride) {
        if (length == 1) {
            return;
        }
        int last = rank - 1;
        if (rank > 0
                && sourceStrides[last] == length * sourceStride
                && targetStrides[last] == length * targetStride) {
            shape[last] *= length;
        } else {
            last = rank++;
            shape[last] = length;
        }
        sourceStrides[last] = sourceStride;
        targetStrides[last] = targetStride;
    }

    /**
     * Turns bytes into units of 1 to 16 bytes: the largest size that divides both addresses, all
     * strides and the inner run. Returns the unit's size.
     */
    int widen(long sourceAddress, long targetAddress) {
        int inner = rank - 1;
        boolean isContiguous = rank > 0 && sourceStrides[inner] == 1 && targetStrides[inner] == 1;
        if (!isContiguous) {
            return checkRank(1); // elements of one byte that are nowhere adjacent
        }
        long multiples = sourceAddress | targetAddress | shape[inner] | UNIT_BYTES_MAX;
        for (int i = 0; i < inner; i++) {
            multiples |= sourceStrides[i] | targetStrides[i];
        }
        int unitBytes = (int) Long.lowestOneBit(multiples);
        narrow(inner, unitBytes);
        return checkRank(unitBytes);
    }

    private void narrow(int inner, int unitBytes) {
        shape[inner] /= unitBytes;
        sourceStrides[inner] = unitBytes;
        targetStrides[inner] = unitBytes;
        if (shape[inner] == 1) {
            rank--;
        }
    }

    /**
     * Turns elements, counted by {@link #resetElements}, into units of several, if they are
     * contiguous in runs of whole units. Returns whether they are.
     *
     * @param elements elements in a unit, a power of two
     * @param places bitwise OR of all other source values that must be multiples of {@code
     *     elements}
     * @param unitBytes bytes of a unit, a power of two
     * @param targetAddress address of the first element in the target
     */
    boolean join(int elements, long places, int unitBytes, long targetAddress) {
        int inner = rank - 1;
        if (rank == 0
                || sourceStrides[inner] != 1
                || targetStrides[inner] * elements != unitBytes) {
            return false;
        }
        long source = places | shape[inner];
        long target = targetAddress;
        for (int i = 0; i < inner; i++) {
            source |= sourceStrides[i];
            target |= targetStrides[i];
        }
        int storeBytes = Math.min(unitBytes, UNIT_BYTES_MAX);
        if ((source & (elements - 1)) != 0 || (target & (storeBytes - 1)) != 0) {
            return false;
        }
        shape[inner] /= elements;
        sourceStrides[inner] = elements;
        targetStrides[inner] = unitBytes;
        if (shape[inner] == 1) {
            rank--;
        }
        return true;
    }

    private int checkRank(int unitBytes) {
        if (rank > PieceBatch.RANK_MAX) {
            throw new IllegalArgumentException(
                    "elements of an odd size with 8 strided dimensions take a ninth");
        }
        return unitBytes;
    }

    int rank() {
        return rank;
    }

    long length(int dimension) {
        return shape[dimension];
    }

    long sourceStride(int dimension) {
        return sourceStrides[dimension];
    }

    long targetStride(int dimension) {
        return targetStrides[dimension];
    }

    /** Returns the number of units. */
    long units() {
        long units = 1;
        for (int i = 0; i < rank; i++) {
            units = Math.multiplyExact(units, shape[i]);
        }
        return units;
    }
}
