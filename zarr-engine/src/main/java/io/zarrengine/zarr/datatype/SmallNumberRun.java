package io.zarrengine.zarr.datatype;

import java.util.ArrayList;
import java.util.List;

/**
 * A run of adjacent numbers of less than 8 bits within an element, one byte each. In stored bytes,
 * the upper bits have no meaning. In memory, they repeat the sign of a signed number and are zero
 * otherwise.
 *
 * @param offset offset of the first number, in bytes from the element's start
 * @param count number of numbers
 * @param type their type; not complex
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/int4">
 *     zarr-extensions, int4: bytes</a>
 */
public record SmallNumberRun(int offset, int count, NumericType type) {
    /**
     * {@return the runs of an element; none for most types}
     *
     * @param type the type of the element
     */
    public static List<SmallNumberRun> of(DataType type) {
        List<SmallNumberRun> runs = new ArrayList<>();
        collect(type, 1, 0, runs);
        return List.copyOf(runs);
    }

    private static void collect(DataType type, int times, int offset, List<SmallNumberRun> runs) {
        if (type instanceof StructType struct) {
            for (int i = 0; i < times; i++) {
                int at = offset + i * struct.byteSize();
                for (StructType.Field field : struct.fields()) {
                    collect(field.type(), field.count(), at, runs);
                    at += (int) field.bytes();
                }
            }
        } else if (type instanceof NumericType number) {
            boolean isComplex = number.kind() == NumericType.Kind.COMPLEX;
            NumericType part = isComplex ? number.part() : number;
            if (part.bits() < Byte.SIZE) {
                runs.add(new SmallNumberRun(offset, isComplex ? 2 * times : times, part));
            }
        }
    }

    /**
     * {@return eight numbers with their upper bits set as in memory}
     *
     * @param bytes eight numbers, one per byte
     */
    public long extended(long bytes) {
        long ones = 0x0101_0101_0101_0101L;
        long value = bytes & (((1L << type.bits()) - 1) * ones);
        if (type.kind() != NumericType.Kind.SIGNED) {
            return value;
        }
        long sign = (1L << (type.bits() - 1)) * ones;
        // This bit is set during the subtraction of the sign, so that no byte borrows from
        // the next.
        long highest = 0x80 * ones;
        return (((value ^ sign) | highest) - sign) ^ highest;
    }

    /**
     * Sets the upper bits of an element's numbers as in memory.
     *
     * @param runs the runs of the element's type
     * @param element changed in place
     */
    public static void extend(List<SmallNumberRun> runs, byte[] element) {
        for (SmallNumberRun run : runs) {
            for (int i = run.offset; i < run.offset + run.count; i++) {
                element[i] = (byte) run.extended(element[i]);
            }
        }
    }
}
