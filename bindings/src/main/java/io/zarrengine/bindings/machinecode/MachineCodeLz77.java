package io.zarrengine.bindings.machinecode;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Decoders of BloscLZ and of Snappy, formats of literals and matches in whole bytes, in machine
 * code, for Linux on x86-64 with BMI2 and SSE4.1 (docs/decoders.md). They refuse damaged input:
 * another decoder then reports the error.
 *
 * <p>Whatever the input, a call accesses no memory outside its arguments. {@code
 * -Dio.zarrengine.machinecode=off} switches them off. Any number of threads may use them at once.
 *
 * @see <a href="https://github.com/Blosc/c-blosc">c-blosc</a>, blosclz
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy</a>
 */
public final class MachineCodeLz77 {
    private static final Lz77Functions CODE = Lz77Functions.load();

    private MachineCodeLz77() {}

    /** {@return the reason why the decoders are missing; empty if they are there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /** Returns the address of the decoder of BloscLZ; 0 if it is missing. */
    static long blosclzAddress() {
        return CODE.blosclzAddress();
    }

    /**
     * Decodes a stream of BloscLZ, or its front, and reads nothing after the literals, or the
     * match, in which the front ends.
     *
     * @param stream native memory, not a mapped file
     * @param target native memory, all of which may be overwritten
     * @param bytes number of wanted bytes, not negative; {@link Long#MAX_VALUE} for all
     * @return number of decoded bytes: at least {@code bytes}, or fewer if the stream has no more;
     *     negative if the stream is refused
     */
    public static long decodeBlosclz(MemorySegment stream, MemorySegment target, long bytes) {
        return CODE.callBlosclz(stream, target, bytes);
    }

    /**
     * Decodes a block of Snappy, or its front, and reads nothing after the literals, or the match,
     * in which the front ends.
     *
     * @param block native memory, not a mapped file
     * @param target native memory, all of which may be overwritten
     * @param bytes number of wanted bytes, not negative; {@link Long#MAX_VALUE} for all
     * @return number of decoded bytes: at least {@code bytes}, or fewer if the block has no more;
     *     negative if the block is refused
     */
    public static long decodeSnappy(MemorySegment block, MemorySegment target, long bytes) {
        return CODE.callSnappy(block, target, bytes);
    }
}
