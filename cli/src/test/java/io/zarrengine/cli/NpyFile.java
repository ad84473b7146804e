package io.zarrengine.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The two parts of a {@code .npy} file.
 *
 * @param header its dictionary, without the padding
 * @param data the elements
 */
record NpyFile(String header, ByteBuffer data) {
    static NpyFile of(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        boolean isLong = bytes.get(6) == 2; // version 2.0
        int begin = isLong ? 12 : 10;
        int end = begin + (isLong ? bytes.getInt(8) : Short.toUnsignedInt(bytes.getShort(8)));
        String header =
                new String(Arrays.copyOfRange(file, begin, end), StandardCharsets.US_ASCII).strip();
        return new NpyFile(header, bytes.slice(end, file.length - end));
    }

    /** Returns the header of elements of a type. */
    static String header(String description, String shape) {
        return "{'descr': '%s', 'fortran_order': False, 'shape': %s, }"
                .formatted(description, shape);
    }
}
