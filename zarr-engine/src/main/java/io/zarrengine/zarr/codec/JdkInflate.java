package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Runs the JDK's inflater over segments that hold deflate streams.
 *
 * <p>Owner: one {@link Inflate}. After {@link #run}, {@link #consumedBytes} says where the stream
 * ended in the input.
 */
final class JdkInflate implements AutoCloseable {
    private final String name;
    private final Inflater inflater;

    /** A full target still needs a place to show that more would come. */
    private final ByteBuffer overflow = ByteBuffer.allocate(1);

    JdkInflate(String name) {
        this.name = name;
        this.inflater = new Inflater(true);
    }

    /**
     * Inflates one stream from the front of {@code encoded} to the front of {@code decoded}.
     *
     * @return bytes written
     */
    long run(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        inflater.reset();
        long consumed = 0;
        long written = 0;
        try {
            while (!inflater.finished()) {
                boolean full = written == decoded.byteSize();
                ByteBuffer input = ByteBuffers.part(encoded, consumed);
                ByteBuffer output = full ? overflow.clear() : ByteBuffers.part(decoded, written);
                inflater.setInput(input);
                int inflated = inflater.inflate(output);
                if (full && inflated > 0) {
                    throw new TargetTooSmallException(name, decoded.byteSize());
                }
                written += inflated;
                consumed += input.position();
                if (inflated == 0 && input.position() == 0) {
                    throw new CodecException(
                            name, "ends early, after " + written + " decoded bytes");
                }
            }
        } catch (DataFormatException e) {
            String reason = e.getMessage() == null ? "it cannot be inflated" : e.getMessage();
            throw new CodecException(name, "damaged: " + reason, e);
        }
        return written;
    }

    /** {@return bytes of the input that the last stream took} */
    long consumedBytes() {
        return inflater.getBytesRead();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
