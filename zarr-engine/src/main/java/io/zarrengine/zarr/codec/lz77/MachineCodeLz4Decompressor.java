package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz4;
import io.zarrengine.zarr.codec.Decompressor;
import java.lang.foreign.MemorySegment;

/** Decodes lz4 by the engine's machine code, mostly faster than liblz4. */
final class MachineCodeLz4Decompressor extends MachineCodeDecompressor {
    private final MachineCodeLz4 code = new MachineCodeLz4();

    @Override
    long decode(MemorySegment encoded, MemorySegment decoded, long bytes) {
        return code.decode(encoded, decoded, bytes);
    }

    @Override
    Decompressor createOther() {
        return create();
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
        super.close();
    }
}
