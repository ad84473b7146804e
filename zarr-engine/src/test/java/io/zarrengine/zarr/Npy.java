package io.zarrengine.zarr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@code .npy} file in C order.
 *
 * @param description NumPy's name of the type
 * @param shape the lengths of its dimensions, as in the file: {@code "3, 4"}
 * @param data the elements
 * @see <a href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">NumPy
 *     format</a>
 */
record Npy(String description, String shape, ByteBuffer data) {
    private static final Pattern HEADER =
            Pattern.compile("'descr': (.+), 'fortran_order': (True|False), 'shape': \\(([^)]*)\\)");

    static Npy read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        bytes.order(ByteOrder.LITTLE_ENDIAN).position(8);
        byte[] text = new byte[bytes.getShort()];
        bytes.get(text);
        Matcher header = HEADER.matcher(new String(text, StandardCharsets.US_ASCII));
        if (!header.find()) {
            throw new IOException(file + " has no header");
        }
        return new Npy(header.group(1), header.group(3), bytes.slice());
    }

    long[] lengths() {
        return Stream.of(shape.split(","))
                .map(String::strip)
                .filter(length -> !length.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Override
    public String toString() {
        return description + Arrays.toString(lengths());
    }
}
