package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes one format by the engine's machine code. Another decoder decodes input that the machine
 * code refuses, and reports the error.
 */
abstract class MachineCodeDecompressor implements Decompressor {
    private Decompressor other; // created when needed

    /**
     * Decodes by machine code.
     *
     * @param bytes number of wanted bytes; {@link Long#MAX_VALUE} for all
     * @return number of decoded bytes: at least {@code bytes}, or fewer if there are no more;
     *     negative if the input is refused
     */
    abstract long decode(MemorySegment encoded, MemorySegment decoded, long bytes);

    /** {@return a new decoder for input that is refused} */
    abstract Decompressor createOther();

    @Override
    public final long decompress(MemorySegment encoded, MemorySegment decoded)
            throws CodecException {
        long bytes = decode(encoded, decoded, Long.MAX_VALUE);
        return bytes >= 0 ? bytes : other().decompress(encoded, decoded);
    }

    @Override
    public final long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (bytes == decoded.byteSize()) {
            return -1;
        }
        long written = decode(encoded, decoded, bytes);
        return written < bytes ? -1 : written;
    }

    private Decompressor other() {
        if (other == null) {
            other = createOther();
        }
        return other;
    }

    @Override
    public void close() {
        if (other != null) {
            other.close();
        }
    }
}
