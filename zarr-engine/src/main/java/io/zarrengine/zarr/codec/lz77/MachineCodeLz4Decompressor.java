package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.MachineCodeLz4;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * lz4 by machine code of ours, mostly faster than liblz4. What it refuses another decoder gets:
 * that tells what is wrong with it.
 */
final class MachineCodeLz4Decompressor implements Decompressor {
    private final MachineCodeLz4 code = new MachineCodeLz4();
    private Decompressor other; // made when it is needed

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

    /** {@return a decoder: this one, or another where there is no machine code} */
    static Decompressor orElse() {
        return MachineCodeLz4.denial().isEmpty() ? new MachineCodeLz4Decompressor() : create();
    }

    /** {@return the decoder where there is no machine code} */
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
