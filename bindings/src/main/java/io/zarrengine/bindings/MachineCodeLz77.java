package io.zarrengine.bindings;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Decoders of BloscLZ and of Snappy, which are literals and matches in whole bytes, as machine code
 * of ours, for Linux on x86-64 with BMI2 and SSE4.1 (docs/decoders.md). They refuse what is
 * damaged: then another decoder tells what is wrong.
 *
 * <p>Whatever the input, nothing is read or written outside of what a call is given. {@code
 * -Dio.zarrengine.machinecode=off} switches them off. Any number of threads may use them at once.
 *
 * @see <a href="https://github.com/Blosc/c-blosc">c-blosc</a>, blosclz
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy</a>
 */
public final class MachineCodeLz77 {
    private static final Lz77Functions CODE = Lz77Functions.load();

    private MachineCodeLz77() {}

    /** {@return why there are no such decoders, or empty if there are} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a stream of BloscLZ, or its front, and looks at nothing behind the literals, or the
     * match, in which that ends.
     *
     * @param stream native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @param bytes how many are wanted, not negative; {@link Long#MAX_VALUE} for all
     * @return how many were decoded: as many or more, or fewer if the stream has no more; negative
     *     if it is refused
     */
    public static long decodeBlosclz(MemorySegment stream, MemorySegment target, long bytes) {
        return CODE.callBlosclz(stream, target, bytes);
    }

    /**
     * Decodes a block of Snappy, or its front, and looks at nothing behind the literals, or the
     * match, in which that ends.
     *
     * @param block native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @param bytes how many are wanted, not negative; {@link Long#MAX_VALUE} for all
     * @return how many were decoded: as many or more, or fewer if the block has no more; negative
     *     if it is refused
     */
    public static long decodeSnappy(MemorySegment block, MemorySegment target, long bytes) {
        return CODE.callSnappy(block, target, bytes);
    }
}
