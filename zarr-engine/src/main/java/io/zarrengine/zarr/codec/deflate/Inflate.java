package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.bindings.machinecode.MachineCodeInflate;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes deflate streams of gzip and zlib by the engine's machine code, about twice as fast as the
 * JDK's zlib. The JDK decodes streams that the machine code refuses, and reports the error.
 *
 * <p>Owner: one decompressor.
 */
final class Inflate implements AutoCloseable {
    private final String name;
    private final MachineCodeInflate code; // null if there is no machine code
    private JdkInflate jdk; // null before it is needed
    private long consumed;
    private boolean closed;

    /** {@code name} of the codec, for error messages. */
    Inflate(String name) {
        this.name = name;
        this.code = MachineCodeInflate.denial().isEmpty() ? new MachineCodeInflate() : null;
    }

    /**
     * Decodes one stream from the front of {@code encoded} to the front of {@code decoded}.
     *
     * @return bytes written
     */
    long run(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        if (isForCode(encoded, decoded)) {
            long written = code.decode(encoded, decoded);
            if (written >= 0) {
                consumed = code.usedBytes();
                return written;
            }
        }
        long written = jdk().run(encoded, decoded);
        consumed = jdk.consumedBytes();
        return written;
    }

    /**
     * Decodes the front of a stream.
     *
     * @return bytes written, as many as are wanted; -1 if there are fewer, or if they are refused
     */
    long runFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        boolean isDecoded =
                isForCode(encoded, decoded) && code.decodeFront(encoded, decoded, bytes) == bytes;
        return isDecoded ? bytes : jdk().runFront(encoded, decoded, bytes);
    }

    private boolean isForCode(MemorySegment encoded, MemorySegment decoded) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        return code != null && encoded.isNative() && decoded.isNative();
    }

    private JdkInflate jdk() {
        if (jdk == null) {
            jdk = new JdkInflate(name);
        }
        return jdk;
    }

    /** {@return bytes of the input that the last stream used} */
    long consumedBytes() {
        return consumed;
    }

    @Override
    public void close() {
        closed = true;
        if (code != null) {
            code.close();
        }
        if (jdk != null) {
            jdk.close();
        }
    }
}
