package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A decoder of LZ4 blocks in machine code, for Linux on x86-64 with AVX-512 VBMI and VL: 0.9 to 2.1
 * times as fast as liblz4 on the measured samples, 1.5 on shuffled elements (docs/decoders.md). It
 * refuses damaged blocks: another decoder then reports the error. For blocks that it accepts, of up
 * to 2 GiB, its output is the same as liblz4's. It remembers the kind of earlier blocks, only for
 * speed.
 *
 * <p>Whatever the input, a call accesses no memory outside its arguments. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>
 */
public final class MachineCodeLz4 implements AutoCloseable {
    private static final DecoderCode CODE =
            DecoderCode.load(CompiledCode.LZ4, "the processor has no AVX-512 VBMI, or no VL");

    private final NativeMemory state;

    /**
     * Creates a decoder of one page.
     *
     * @throws UnsupportedOperationException if it is {@linkplain #denial missing}
     */
    public MachineCodeLz4() {
        state = CODE.newState();
    }

    /** Returns the address of the decoder; 0 if it is missing. */
    static long address() {
        return CODE.decodeAddress();
    }

    /** Returns the decoder's state. Its content does not change the output. */
    MemorySegment state() {
        return state.segment();
    }

    /** {@return the reason why the decoder is missing; empty if it is there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a block, or its front, and reads nothing after the sequence in which the front ends.
     *
     * @param block native memory, not a mapped file; exactly one block if all of it is wanted
     * @param target native memory, all of which may be overwritten
     * @param bytes number of wanted bytes, not negative; {@link Long#MAX_VALUE} for all
     * @return number of decoded bytes: {@code bytes}, or fewer if the block has no more; negative
     *     if the block is refused
     */
    public long decode(MemorySegment block, MemorySegment target, long bytes) {
        return CODE.callDecode(state.segment(), block, target, bytes);
    }

    @Override
    public void close() {
        state.close();
    }
}
