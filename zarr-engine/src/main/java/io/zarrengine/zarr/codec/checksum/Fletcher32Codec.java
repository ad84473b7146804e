package io.zarrengine.zarr.codec.checksum;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The {@code fletcher32} codec of HDF5: ones' complement sums of big-endian words of 16 bits. 65535
 * represents 0 unless all words are 0. An odd byte at the end is the high byte of a word.
 *
 * @see <a href="https://github.com/HDFGroup/hdf5/blob/develop/src/H5checksum.c">HDF5,
 *     H5_checksum_fletcher32</a>
 */
public record Fletcher32Codec() implements Checksum32 {
    public static final String NAME = "fletcher32";

    private static final ValueLayout.OfShort BE_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int MODULUS = 0xffff;

    /**
     * Bytes between two reductions. The second sum grows with the square of their number, to 2^50
     * here.
     */
    private static final int BLOCK_BYTES = 1 << 18;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean atStart() {
        return false;
    }

    @Override
    public int checksum(MemorySegment bytes) {
        long evenBytes = bytes.byteSize() & -2L;
        long sum = 0;
        long sumOfSums = 0;
        for (long from = 0; from < evenBytes; from += BLOCK_BYTES) {
            long to = Math.min(from + BLOCK_BYTES, evenBytes);
            for (long at = from; at < to; at += Short.BYTES) {
                sum += Short.toUnsignedLong(bytes.get(BE_SHORT, at));
                sumOfSums += sum;
            }
            sum = reduced(sum);
            sumOfSums = reduced(sumOfSums);
        }
        if (evenBytes < bytes.byteSize()) {
            sum = reduced(sum + (Byte.toUnsignedLong(bytes.get(JAVA_BYTE, evenBytes)) << 8));
            sumOfSums = reduced(sumOfSums + sum);
        }
        return (int) (sumOfSums << 16 | sum);
    }

    /** Returns the remainder, from 1 to the modulus; 0 only for 0. */
    private static long reduced(long sum) {
        return sum == 0 ? 0 : (sum - 1) % MODULUS + 1;
    }
}
