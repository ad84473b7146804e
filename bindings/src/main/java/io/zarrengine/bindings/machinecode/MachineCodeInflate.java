package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A decoder of deflate streams of gzip and zlib in machine code, for Linux on x86-64 with BMI2: 1.5
 * to 4 times as fast as zlib on the measured samples (docs/decoders.md). It refuses damaged
 * streams, and some codes that no encoder makes: another decoder then reports the error. For
 * streams that it accepts, its output is the same as zlib's.
 *
 * <p>Whatever the input, a call accesses no memory outside its arguments. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1951">RFC 1951</a>
 */
public final class MachineCodeInflate implements AutoCloseable {
    private static final DecoderCode CODE =
            DecoderCode.load(CompiledCode.DEFLATE, "the processor has no BMI2");

    private final NativeMemory state;

    /**
     * Creates a decoder of 32 KiB.
     *
     * @throws UnsupportedOperationException if it is {@linkplain #denial missing}
     */
    public MachineCodeInflate() {
        state = CODE.newState();
    }

    /** {@return the reason why the decoder is missing; empty if it is there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a stream from the front of {@code from}; {@link #usedBytes} then returns its size.
     *
     * @param from native memory, not a mapped file
     * @param target native memory, all of which may be overwritten
     * @return the decoded size; negative if the stream is refused
     */
    public long decode(MemorySegment from, MemorySegment target) {
        return decodeFront(from, target, Long.MAX_VALUE);
    }

    /**
     * Decodes the front of a stream, and reads nothing after the symbol, or the uncompressed block,
     * in which the front ends.
     *
     * @param from native memory, not a mapped file
     * @param target native memory, all of which may be overwritten
     * @param bytes number of wanted bytes, not negative
     * @return number of decoded bytes: {@code bytes}, or fewer if the stream has no more; negative
     *     if the stream is refused
     */
    public long decodeFront(MemorySegment from, MemorySegment target, long bytes) {
        return CODE.callDecode(state.segment(), from, target, bytes);
    }

    /** {@return the size of the last stream that was decoded to its end} */
    public long usedBytes() {
        return state.segment().get(JAVA_LONG, 0);
    }

    /** {@return the number of the loop that decoded the last block with codes} */
    int lastLoop() {
        return state.segment().get(JAVA_INT, Long.BYTES);
    }

    @Override
    public void close() {
        state.close();
    }
}
