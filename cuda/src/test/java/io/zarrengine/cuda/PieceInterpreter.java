package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Does the work of {@code zarr_place} and {@code zarr_convert} for one descriptor, on arrays, so
 * that descriptors can be tested without a device.
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

    /** Runs {@code zarr_convert}. */
    void runConverting() {
        Conversion conversion = conversion();
        for (long unit = 0; unit < word(24); unit++) {
            convert(unit, conversion);
        }
    }

    private void convert(long unit, Conversion conversion) {
        long from = word(56);
        long to = word(8) - targetAddress;
        long rest = unit;
        for (int d = tiny(32) - 1; d >= 0; d--) {
            long length = word(64 + 8 * d);
            from += rest % length * word(128 + 8 * d);
            to += rest % length * word(192 + 8 * d);
            rest /= length;
        }
        int numbers = tiny(34) / tiny(35);
        int bytes = conversion.target().bytes();
        checkAligned(from, numbers);
        checkStore(to, numbers * bytes);
        for (int i = 0; i < numbers; i++) {
            long bits = SlowConversion.converted(conversion, stored(from + i));
            for (int b = 0; b < bytes; b++) {
                target[Math.toIntExact(to + (long) i * bytes + b)] = (byte) (bits >>> (8 * b));
            }
        }
    }

    /** Checks the alignment of consecutive numbers that one thread loads. */
    private void checkAligned(long first, int numbers) {
        if (tiny(33) != 0) {
            checkAlignedInBlock(first, numbers);
            return;
        }
        int bytes = Math.min(numbers * tiny(35), 16);
        if ((word(0) + first * tiny(35)) % bytes != 0) {
            throw new AssertionError("a misaligned load of " + bytes + " bytes");
        }
    }

    private long stored(long index) {
        long stored = 0;
        for (int b = 0; b < tiny(35); b++) {
            long at = word(0) - sourceAddress + index * tiny(35) + b;
            byte value = tiny(33) == 0 ? source[Math.toIntExact(at)] : byteOfShuffled(index, b);
            stored |= Byte.toUnsignedLong(value) << (8 * swapped(b));
        }
        return stored;
    }

    /** Decodes the codes: the stored type, then a step in each byte. */
    private Conversion conversion() {
        long codes = word(64 + 48);
        List<Step> steps = new ArrayList<>();
        int scalings = 0;
        for (long rest = codes >>> 8; rest != 0; rest >>>= 8) {
            int code = (int) (rest & 0xff);
            if (code == 11) {
                steps.add(
                        new Step.Scale(
                                Double.longBitsToDouble(word(128 + 48 + 8L * scalings)),
                                Double.longBitsToDouble(word(192 + 48 + 8L * scalings))));
                scalings++;
            } else {
                steps.add(new Step.Cast(type(code - 1)));
            }
        }
        return new Conversion(type((int) (codes & 0xff)), 0, steps);
    }

    private static NumberType type(int code) {
        return Arrays.stream(NumberType.values())
                .filter(type -> type.code() == code)
                .findAny()
                .orElseThrow();
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
        checkStore(to, unitBytes);
        for (int b = 0; b < unitBytes; b++) {
            target[Math.toIntExact(to + swapped(b))] = unitByte(from, b);
        }
    }

    private void checkStore(long to, int bytes) {
        int storeBytes = Math.min(bytes, 16);
        if ((to + targetAddress) % storeBytes != 0) {
            throw new AssertionError("a misaligned store of " + storeBytes + " bytes");
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

    /**
     * Returns a byte of the unit that begins with the element {@code first}. All of the unit lies
     * in one block.
     */
    private byte shuffledByte(long first, int byteOfUnit) {
        checkAlignedInBlock(first, tiny(34) / tiny(35));
        return byteOfShuffled(first + byteOfUnit / tiny(35), byteOfUnit % tiny(35));
    }

    /**
     * Checks that elements are taken from whole bytes of bit rows, in all of their rows at once.
     */
    private void checkAlignedInBlock(long first, int elements) {
        if (elements == 1) {
            return;
        }
        boolean isAligned = (first % word(48) | blockElements(first)) % elements == 0;
        if (tiny(33) == 1) {
            for (int b = 0; b < tiny(35); b++) {
                isAligned &= row(first, b) % elements == 0;
            }
        } else {
            isAligned &= blockElements(first) % 8 == 0;
        }
        if (!isAligned) {
            throw new AssertionError("misaligned: " + elements + " elements at " + first);
        }
    }

    /** Returns the number of elements in the block of an element. */
    private long blockElements(long index) {
        return Math.min(word(48), word(40) - index / word(48) * word(48));
    }

    /** Returns the address of a byte of a byte-shuffled element. */
    private long row(long index, int b) {
        long blockFirst = index / word(48) * word(48);
        return word(0) + blockFirst * tiny(35) + b * blockElements(index) + index - blockFirst;
    }

    private byte byteOfShuffled(long index, int b) {
        if (tiny(33) == 1) {
            return source[Math.toIntExact(row(index, b) - sourceAddress)];
        }
        long blockFirst = index / word(48) * word(48);
        long elements = blockElements(index);
        long block = word(0) - sourceAddress + blockFirst * tiny(35);
        long i = index - blockFirst;
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
