package io.zarrengine.cli;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The CRC-32C of all crops in the order of the list; the crops may arrive in any order.
 *
 * @see <a href="https://github.com/madler/zlib/blob/v1.3.1/crc32.c">zlib, crc32_combine</a>: the
 *     same for another polynomial
 */
final class CropChecksum implements CropRun.Visitor {
    /** The polynomial of CRC-32C without its highest term; bit 31 is the coefficient of 1. */
    private static final int POLYNOMIAL = 0x82f63b78;

    private static final int ONE = 1 << 31;

    private static final long PART_BYTES_MAX = 1L << 30; // limit of a ByteBuffer

    private final int[] checksums;
    private final long[] bytes;

    /**
     * Allocates room for the checksums.
     *
     * @param crops number of crops
     */
    CropChecksum(int crops) {
        checksums = new int[crops];
        bytes = new long[crops];
    }

    @Override
    public void visit(int crop, MemorySegment elements) {
        CRC32C checksum = new CRC32C();
        for (long at = 0; at < elements.byteSize(); at += PART_BYTES_MAX) {
            long part = Math.min(PART_BYTES_MAX, elements.byteSize() - at);
            checksum.update(elements.asSlice(at, part).asByteBuffer());
        }
        checksums[crop] = (int) checksum.getValue();
        bytes[crop] = elements.byteSize();
    }

    /** {@return the checksum of all crops, in the order of the list} */
    long value() {
        int all = 0; // of no bytes
        for (int i = 0; i < checksums.length; i++) {
            all = combine(all, checksums[i], bytes[i]);
        }
        return Integer.toUnsignedLong(all);
    }

    /** Returns the checksum of two pieces of data together; the second has {@code secondBytes}. */
    static int combine(int first, int second, long secondBytes) {
        int shift = ONE;
        int square = ONE >>> 8; // x^8: one byte
        for (long rest = secondBytes; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                shift = multiply(shift, square);
            }
            square = multiply(square, square);
        }
        return multiply(first, shift) ^ second;
    }

    /** Returns the product of two polynomials, modulo that of CRC-32C. */
    private static int multiply(int a, int b) {
        int product = 0;
        int term = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            if (rest < 0) {
                product ^= term;
            }
            term = (term & 1) == 0 ? term >>> 1 : term >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }
}
