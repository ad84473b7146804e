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
        int end = 10 + bytes.getShort(8);
        String header =
                new String(Arrays.copyOfRange(file, 10, end), StandardCharsets.US_ASCII).strip();
        return new NpyFile(header, bytes.slice(end, file.length - end));
    }

    /** The header of elements of a type. */
    static String header(String description, String shape) {
        return "{'descr': '%s', 'fortran_order': False, 'shape': %s, }"
                .formatted(description, shape);
    }
}
