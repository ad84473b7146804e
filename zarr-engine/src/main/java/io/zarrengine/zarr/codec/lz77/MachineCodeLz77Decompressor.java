package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** Decodes BloscLZ or Snappy by the engine's machine code, which is faster than Java. */
public final class MachineCodeLz77Decompressor extends MachineCodeDecompressor {
    /** Creates decoders of Snappy. */
    public static final CodecContext.Factory<Decompressor> SNAPPY = _ -> snappy();

    /** Creates decoders of BloscLZ. */
    public static final CodecContext.Factory<Decompressor> BLOSCLZ = _ -> blosclz();

    private final Code code;
    private final Supplier<Decompressor> inJava;

    /** A decoding function of {@link MachineCodeLz77}. */
    @FunctionalInterface
    private interface Code {
        long decode(MemorySegment encoded, MemorySegment decoded, long bytes);
    }

    private MachineCodeLz77Decompressor(Code code, Supplier<Decompressor> inJava) {
        this.code = code;
        this.inJava = inJava;
    }

    /** {@return a decoder of BloscLZ; in Java if there is no machine code} */
    public static Decompressor blosclz() {
        return isThere()
                ? new MachineCodeLz77Decompressor(
                        MachineCodeLz77::decodeBlosclz, JavaBloscLzDecompressor::new)
                : new JavaBloscLzDecompressor();
    }

    /** {@return a decoder of Snappy; in Java if there is no machine code} */
    public static Decompressor snappy() {
        return isThere()
                ? new MachineCodeLz77Decompressor(
                        MachineCodeLz77::decodeSnappy, JavaDecompressors::snappy)
                : JavaDecompressors.snappy();
    }

    private static boolean isThere() {
        return MachineCodeLz77.denial().isEmpty();
    }

    @Override
    long decode(MemorySegment encoded, MemorySegment decoded, long bytes) {
        return code.decode(encoded, decoded, bytes);
    }

    @Override
    Decompressor createOther() {
        return inJava.get();
    }
}
