package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.datatype.NumpyDescription;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Writes results as {@code .npy} files: C order, little-endian.
 *
 * @see <a href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">NumPy
 *     format</a>, version 1.0, and 2.0 where the header is too long for 1.0
 */
final class NpyWriter {
    private static final int PREFIX_BYTES = 8; // magic and version; the header's length follows
    private static final int ALIGNMENT = 64;
    private static final long PART_BYTES_MAX = 1L << 30;

    private NpyWriter() {}

    /** Writes the header and the elements. */
    static void write(HostTensor tensor, OutputStream out) throws IOException {
        out.write(header(NumpyDescription.of(tensor.dataType()), tensor.shape()));
        writeElements(tensor, out);
    }

    /** Writes only the elements. */
    static void writeElements(HostTensor tensor, OutputStream out) throws IOException {
        assert ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN : "elements would need swapping";
        WritableByteChannel channel = Channels.newChannel(out);
        long bytes = tensor.segment().byteSize();
        for (long at = 0; at < bytes; at += PART_BYTES_MAX) {
            long part = Math.min(PART_BYTES_MAX, bytes - at);
            ByteBuffer buffer = tensor.segment().asSlice(at, part).asByteBuffer();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    private static byte[] header(String description, long[] shape) {
        String lengths =
                Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String tuple = shape.length == 1 ? "(" + lengths + ",)" : "(" + lengths + ")";
        String dictionary =
                "{'descr': " + description + ", 'fortran_order': False, 'shape': " + tuple + ", }";
        boolean isLong = dictionary.length() + ALIGNMENT > 0xffff; // Padding is shorter than that.
        int prefix = PREFIX_BYTES + (isLong ? Integer.BYTES : Short.BYTES);
        int used = prefix + dictionary.length() + 1;
        int bytes = Math.ceilDiv(used, ALIGNMENT) * ALIGNMENT;
        String padded = dictionary + " ".repeat(bytes - used) + "\n";
        ByteBuffer header =
                ByteBuffer.allocate(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) 0x93)
                        .put(
                                (isLong ? "NUMPY\2\0" : "NUMPY\1\0")
                                        .getBytes(StandardCharsets.US_ASCII));
        int length = bytes - prefix;
        return (isLong ? header.putInt(length) : header.putShort((short) length))
                .put(padded.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }
}
