package io.zarrengine.zarr.reference;

import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;

/** Numbers of less than 8 bits, each in a byte whose upper bits have no meaning. */
final class SmallNumbers {
    private SmallNumbers() {}

    /** Returns an element as it may be stored, with random upper bits. */
    static byte[] stored(ReferenceType type, byte[] element, SplittableRandom random) {
        return with(type, element, (value, bits) -> value | random.nextInt() << bits);
    }

    /** Returns an element as it is read: the upper bits repeat the sign, or are zero. */
    static byte[] read(ReferenceType type, byte[] element) {
        return with(type, element, (value, _) -> value);
    }

    private static byte[] with(ReferenceType type, byte[] element, IntBinaryOperator upper) {
        byte[] changed = element.clone();
        change(type, changed, 0, upper);
        return changed;
    }

    /** {@code upper}: computes the upper bits from the extended number and its bit count. */
    private static void change(
            ReferenceType type, byte[] element, int offset, IntBinaryOperator upper) {
        switch (type.kind()) {
            case SIGNED, UNSIGNED, TINY_FLOAT -> {
                if (type.bits() < 8) {
                    int mask = (1 << type.bits()) - 1;
                    int value = element[offset] & mask;
                    boolean isNegative =
                            type.kind() == ReferenceType.Kind.SIGNED
                                    && (value >> (type.bits() - 1)) == 1;
                    int extended = isNegative ? value | ~mask : value;
                    element[offset] = (byte) upper.applyAsInt(extended, type.bits());
                }
            }
            case COMPLEX -> {
                change(type.part(), element, offset, upper);
                change(type.part(), element, offset + type.part().size(), upper);
            }
            case STRUCT -> {
                int at = offset;
                for (ReferenceType field : type.fields().values()) {
                    change(field, element, at, upper);
                    at += field.size();
                }
            }
            default -> {}
        }
    }
}
