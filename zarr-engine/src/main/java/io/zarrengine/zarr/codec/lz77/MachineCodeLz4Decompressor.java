package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.MachineCodeLz4;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes lz4 by the engine's machine code, mostly faster than liblz4. Another decoder decodes
 * input that it refuses, and reports the error.
 */
final class MachineCodeLz4Decompressor implements Decompressor {
    private final MachineCodeLz4 code = new MachineCodeLz4();
    private Decompressor other; // created when needed

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long bytes = code.decode(encoded, decoded);
        return bytes >= 0 ? bytes : other().decompress(encoded, decoded);
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (bytes == decoded.byteSize()) {
            return -1;
        }
        long written = code.decodeFront(encoded, decoded, bytes);
        return written < bytes ? -1 : written;
    }

    private Decompressor other() {
        if (other == null) {
            other = create();
        }
        return other;
    }

    /** {@return this decoder, or another one if there is no machine code} */
    static Decompressor orElse() {
        return MachineCodeLz4.denial().isEmpty() ? new MachineCodeLz4Decompressor() : create();
    }

    /** {@return the decoder used without machine code} */
    static Decompressor create() {
        return NativeLibrary.LIBLZ4.isAvailable()
                ? new Liblz4Decompressor()
                : JavaDecompressors.lz4();
    }

    @Override
    public void close() {
        code.close();
        if (other != null) {
            other.close();
        }
    }
}
