package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A decoder of deflate streams, as gzip and zlib hold them, as machine code of ours, for Linux on
 * x86-64 with BMI2: 1.5 to 4 times as fast as zlib on the samples that were measured
 * (docs/decoders.md). It refuses what is damaged, and some codes that no encoder makes: then
 * another decoder tells what is wrong. What it accepts is what zlib would make of it.
 *
 * <p>Whatever the input, nothing is read or written outside of what a call is given. {@code
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
     * Creates a decoder: 32 KiB.
     *
     * @throws UnsupportedOperationException if it is not {@linkplain #denial there}
     */
    public MachineCodeInflate() {
        state = CODE.newState();
    }

    /** {@return why there is no such decoder, or empty if there is} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a stream from the front of {@code from}; {@link #usedBytes} tells where it ends.
     *
     * @param from native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @return how many bytes it decodes to; negative if it is refused
     */
    public long decode(MemorySegment from, MemorySegment target) {
        return decodeFront(from, target, Long.MAX_VALUE);
    }

    /**
     * Decodes the front of a stream, and looks at nothing behind the symbol, or the block that is
     * not compressed, in which that ends.
     *
     * @param from native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @param bytes how many are wanted, not negative
     * @return how many were decoded: as many, or fewer if the stream has no more; negative if it is
     *     refused
     */
    public long decodeFront(MemorySegment from, MemorySegment target, long bytes) {
        return CODE.callDecode(state.segment(), from, target, bytes);
    }

    /** {@return how many bytes the last stream has that was decoded to its end} */
    public long usedBytes() {
        return state.segment().get(JAVA_LONG, 0);
    }

    /** {@return which loop decoded the last block that has codes} */
    int lastLoop() {
        return state.segment().get(JAVA_INT, Long.BYTES);
    }

    @Override
    public void close() {
        state.close();
    }
}
