package io.zarrengine.zarr.shuffle;

import java.util.Arrays;

/** Shuffles byte by byte and bit by bit: the encoder for tests of the fast decoders. */
public final class SlowShuffle {
    private SlowShuffle() {}

    /** Groups all first bytes of the elements, then all second bytes; the remainder stays. */
    public static byte[] shuffleBytes(byte[] sample, int elementBytes) {
        byte[] shuffled = sample.clone();
        int elements = sample.length / elementBytes;
        for (int i = 0; i < elements; i++) {
            for (int b = 0; b < elementBytes; b++) {
                shuffled[b * elements + i] = sample[i * elementBytes + b];
            }
        }
        return shuffled;
    }

    /**
     * Groups all lowest bits of the elements, then all second bits. c-blosc leaves a count of
     * elements that 8 does not divide as it is.
     */
    public static byte[] shuffleBits(byte[] sample, int elementBytes) {
        int elements = sample.length / elementBytes;
        if (elements % 8 != 0) {
            return sample.clone();
        }
        byte[] shuffled = sample.clone();
        Arrays.fill(shuffled, 0, elements * elementBytes, (byte) 0);
        for (int i = 0; i < elements; i++) {
            for (int bit = 0; bit < 8 * elementBytes; bit++) {
                int value = sample[i * elementBytes + bit / 8] >> (bit % 8) & 1;
                int at = bit * elements + i; // counted in bits
                shuffled[at / 8] |= (byte) (value << (at % 8));
            }
        }
        return shuffled;
    }
}
