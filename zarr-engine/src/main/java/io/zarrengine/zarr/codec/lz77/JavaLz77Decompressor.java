package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** Decodes BloscLZ or Snappy in Java. */
abstract class JavaLz77Decompressor implements Decompressor {
    private final String name;

    /** {@code name} of the format, for messages. */
    JavaLz77Decompressor(String name) {
        this.name = name;
    }

    /**
     * Decodes up to the end of the wanted bytes.
     *
     * @param wanted their number; {@link Long#MAX_VALUE} for all
     * @return number of decoded bytes
     * @throws IndexOutOfBoundsException if the input is damaged, or longer than the target
     */
    abstract long decode(MemorySegment in, MemorySegment decoded, long wanted);

    @Override
    public final long decompress(MemorySegment encoded, MemorySegment decoded)
            throws CodecException {
        try {
            return decode(encoded, decoded, Long.MAX_VALUE);
        } catch (IndexOutOfBoundsException e) {
            throw new CodecException(
                    name, "damaged, or longer than " + decoded.byteSize() + " bytes", e);
        }
    }

    @Override
    public final long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (bytes == decoded.byteSize()) {
            return -1;
        }
        try {
            long written = decode(encoded, decoded, bytes);
            return written < bytes ? -1 : written;
        } catch (IndexOutOfBoundsException e) {
            return -1;
        }
    }

    @Override
    public void close() {}
}
