package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Runs the JDK's inflater over segments that hold deflate streams.
 *
 * <p>Owner: one {@link Inflate}. After {@link #run}, {@link #consumedBytes} returns the end of the
 * stream in the input.
 */
final class JdkInflate implements AutoCloseable {
    private final String name;
    private final Inflater inflater;

    /** Byte that detects further output once the target is full. */
    private final MemorySegment overflow = MemorySegment.ofArray(new byte[1]);

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
        long written = fill(decoded, encoded);
        if (fill(overflow, encoded) > 0) {
            throw new TargetTooSmallException(name, decoded.byteSize());
        }
        return written;
    }

    /**
     * Inflates the front of a stream.
     *
     * @return bytes written, as many as are wanted; -1 if there are fewer, or some are damaged
     */
    long runFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        inflater.reset();
        try {
            return fill(decoded.asSlice(0, bytes), encoded) == bytes ? bytes : -1;
        } catch (CodecException e) {
            return -1;
        }
    }

    /** Continues the stream until the target is full or the stream has ended. */
    private long fill(MemorySegment target, MemorySegment encoded) throws CodecException {
        long written = 0;
        try {
            while (written < target.byteSize() && !inflater.finished()) {
                ByteBuffer input = ByteBuffers.part(encoded, inflater.getBytesRead());
                inflater.setInput(input);
                int inflated = inflater.inflate(ByteBuffers.part(target, written));
                written += inflated;
                if (inflated == 0 && input.position() == 0 && !inflater.finished()) {
                    long inflatedBytes = inflater.getBytesWritten();
                    throw new CodecException(
                            name, "ends early, after " + inflatedBytes + " decoded bytes");
                }
            }
        } catch (DataFormatException e) {
            String reason = e.getMessage() == null ? "it cannot be inflated" : e.getMessage();
            throw new CodecException(name, "damaged: " + reason, e);
        }
        return written;
    }

    /** {@return bytes of the input that the last stream used} */
    long consumedBytes() {
        return inflater.getBytesRead();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
