package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.MachineCodeLz77;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Decodes BloscLZ or Snappy by the engine's machine code, which is faster than Java. A Java decoder
 * decodes input that it refuses, and reports the error.
 */
public final class MachineCodeLz77Decompressor implements Decompressor {
    /** Creates decoders of Snappy. */
    public static final CodecContext.Factory<Decompressor> SNAPPY = _ -> snappy();

    /** Creates decoders of BloscLZ. */
    public static final CodecContext.Factory<Decompressor> BLOSCLZ = _ -> blosclz();

    private final Code code;
    private final Supplier<Decompressor> inJava;
    private Decompressor other; // created when needed

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
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long bytes = code.decode(encoded, decoded, Long.MAX_VALUE);
        return bytes >= 0 ? bytes : other().decompress(encoded, decoded);
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (bytes == decoded.byteSize()) {
            return -1;
        }
        long written = code.decode(encoded, decoded, bytes);
        return written < bytes ? -1 : written;
    }

    private Decompressor other() {
        if (other == null) {
            other = inJava.get();
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
