package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Does what {@code zarr_place} does with one descriptor, on arrays: so descriptors are tested where
 * there is no device.
 */
final class PieceInterpreter {
    private final MemorySegment descriptor;
    private final byte[] source;
    private final long sourceAddress;
    private final byte[] target;
    private final long targetAddress;

    PieceInterpreter(
            MemorySegment descriptor,
            byte[] source,
            long sourceAddress,
            byte[] target,
            long targetAddress) {
        this.descriptor = descriptor;
        this.source = source;
        this.sourceAddress = sourceAddress;
        this.target = target;
        this.targetAddress = targetAddress;
    }

    void run() {
        for (long unit = 0; unit < word(24); unit++) {
            place(unit);
        }
    }

    private void place(long unit) {
        long from = 0;
        long to = word(8) - targetAddress;
        long rest = unit;
        for (int d = tiny(32) - 1; d >= 0; d--) {
            long length = word(64 + 8 * d);
            from += rest % length * word(128 + 8 * d);
            to += rest % length * word(192 + 8 * d);
            rest /= length;
        }
        int unitBytes = tiny(34);
        if ((to + targetAddress) % unitBytes != 0) {
            throw new AssertionError("a misaligned store of " + unitBytes + " bytes");
        }
        for (int b = 0; b < unitBytes; b++) {
            target[Math.toIntExact(to + swapped(b))] = unitByte(from, b);
        }
    }

    private byte unitByte(long from, int b) {
        return switch (tiny(33)) {
            case 0 -> plainByte(word(0) + from, b);
            case 3 -> (byte) (word(b < 8 ? 0 : 40) >>> (8 * (b % 8)));
            default -> shuffledByte(word(56) + from, b);
        };
    }

    private byte plainByte(long address, int b) {
        if (address % tiny(34) != 0) {
            throw new AssertionError("a misaligned load of " + tiny(34) + " bytes");
        }
        return source[Math.toIntExact(address - sourceAddress + b)];
    }

    /** Of a unit that begins with the element {@code first}; all of it lies in one block. */
    private byte shuffledByte(long first, int byteOfUnit) {
        int b = byteOfUnit % tiny(35);
        long blockFirst = first / word(48) * word(48);
        long elements = Math.min(word(48), word(40) - blockFirst);
        long block = word(0) - sourceAddress + blockFirst * tiny(35);
        long i = first - blockFirst;
        if (tiny(33) == 1) {
            long row = block + b * elements + i;
            int rowBytes = tiny(34) / tiny(35);
            if ((sourceAddress + row) % rowBytes != 0) {
                throw new AssertionError("a misaligned load of " + rowBytes + " bytes");
            }
            return source[Math.toIntExact(row + byteOfUnit / tiny(35))];
        }
        if (elements % 8 != 0) {
            return source[Math.toIntExact(block + i * tiny(35) + b)];
        }
        int bits = 0;
        for (int bit = 0; bit < 8; bit++) {
            long row = (b * 8L + bit) * (elements / 8);
            bits |= (source[Math.toIntExact(block + row + i / 8)] >> (i % 8) & 1) << bit;
        }
        return (byte) bits;
    }

    private int swapped(int b) {
        int number = descriptor.get(JAVA_INT, 36);
        return number == 0 ? b : b / number * number + number - 1 - b % number;
    }

    private long word(long offset) {
        return descriptor.get(JAVA_LONG, offset);
    }

    private int tiny(long offset) {
        return descriptor.get(JAVA_BYTE, offset);
    }
}
