package io.zarrengine.zarr.loader;

/**
 * Random orders of {@code 0 .. count - 1}. Each position is computed on its own, and nothing is
 * stored. A Feistel network permutes the numbers below the next power of four; a result that is not
 * below {@code count} goes through the network again. Immutable.
 *
 * @see <a href="https://doi.org/10.1007/3-540-45760-7_9">Black and Rogaway: Ciphers with Arbitrary
 *     Finite Domains</a>, cycle walking
 */
final class Permutation {
    private static final int ROUNDS = 6;

    private final long count;
    private final int halfBits;
    private final long halfMask;

    /** {@code count} is the number of values. */
    Permutation(long count) {
        this.count = count;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, count - 1));
        halfBits = Math.ceilDiv(bits, 2);
        halfMask = (1L << halfBits) - 1;
    }

    /**
     * {@return the value at a position of an order}
     *
     * @param place from 0, below the count
     * @param key selects the order
     */
    long at(long place, long key) {
        long at = place;
        do { // The power of four is at most four times the count, so this ends soon.
            at = permuted(at, key);
        } while (Long.compareUnsigned(at, count) >= 0);
        return at;
    }

    private long permuted(long at, long key) {
        long left = at >>> halfBits;
        long right = at & halfMask;
        for (int round = 0; round < ROUNDS; round++) {
            long mixed = mixed(right + key + round * 0x9E37_79B9_7F4A_7C15L);
            long next = left ^ (mixed & halfMask);
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }

    /** Mixes bits with Stafford's variant 13, as in {@link java.util.SplittableRandom}. */
    static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }
}
