package io.zarrengine.zarr.datatype;

import java.util.ArrayList;
import java.util.List;

/**
 * A run of adjacent units of one size within an element.
 *
 * @param offset offset of the first unit, in bytes from the element's start
 * @param unit size of a unit in bytes, {@code >= 2}
 * @param count number of units
 */
public record ByteOrderRun(int offset, int unit, int count) {
    /**
     * Most runs of one element. Records of a thousand fields exist; records of a million do not.
     */
    private static final int RUNS_MAX = 1 << 16;

    /**
     * {@return the runs of an element whose bytes have the machine's order; fields with their own
     * byte order are left out}
     *
     * @param type its type
     * @throws IllegalArgumentException if there are more than the engine accepts
     */
    public static List<ByteOrderRun> of(DataType type) {
        List<ByteOrderRun> runs = new ArrayList<>();
        collect(type, 1, 0, runs);
        return runs;
    }

    private static void collect(DataType type, int times, int offset, List<ByteOrderRun> runs) {
        if (type instanceof StructType struct) {
            for (int i = 0; i < times; i++) {
                collectFields(struct, offset + i * struct.byteSize(), runs);
            }
        } else if (type.byteOrderUnit() > 1) {
            int unit = type.byteOrderUnit();
            runs.add(new ByteOrderRun(offset, unit, times * type.byteSize() / unit));
            if (runs.size() > RUNS_MAX) {
                throw new IllegalArgumentException("has more than " + RUNS_MAX + " fields");
            }
        }
    }

    private static void collectFields(StructType struct, int offset, List<ByteOrderRun> runs) {
        int at = offset;
        for (StructType.Field field : struct.fields()) {
            if (field.order().isEmpty()) {
                collect(field.type(), field.count(), at, runs);
            }
            at += (int) field.bytes();
        }
    }

    /**
     * Reverses the bytes of every unit.
     *
     * @param runs the runs of the element's type
     * @param element changed in place
     */
    public static void reverse(List<ByteOrderRun> runs, byte[] element) {
        for (ByteOrderRun run : runs) {
            for (int i = 0; i < run.count; i++) {
                reverse(element, run.offset + i * run.unit, run.unit);
            }
        }
    }

    private static void reverse(byte[] bytes, int from, int length) {
        for (int i = 0; i < length / 2; i++) {
            byte swapped = bytes[from + i];
            bytes[from + i] = bytes[from + length - 1 - i];
            bytes[from + length - 1 - i] = swapped;
        }
    }
}
