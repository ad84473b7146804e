package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A decoder of deflate streams, as gzip and zlib hold them, as machine code of ours, for Linux on
 * x86-64 with BMI2: 1.5 to 4 times as fast as zlib on the samples that were measured
 * (docs/deflate.md). It refuses what is damaged, and some codes that no encoder makes: then another
 * decoder tells what is wrong. What it accepts is what zlib would make of it.
 *
 * <p>Whatever the input, nothing is read or written outside of what a call is given. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1951">RFC 1951</a>
 */
public final class NativeInflate implements AutoCloseable {
    private static final Code CODE = Code.load();

    private final NativeMemory state;

    /**
     * Creates a decoder: 32 KiB.
     *
     * @throws UnsupportedOperationException if it is not {@linkplain #denial there}
     */
    public NativeInflate() {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        state = NativeMemory.allocate(CODE.callStateBytes()); // Zeroed, as it must be.
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
        return CODE.callInflate(state.segment(), from, target, bytes);
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

    /**
     * The functions of {@code code/deflate}.
     *
     * @param denial why they are not there, or null; then there is nothing else
     */
    private record Code(String denial, MethodHandle stateBytes, MethodHandle inflate) {
        static Code load() {
            String denial = MachineCode.denial();
            if (denial != null) {
                return denied(denial);
            }
            try {
                EntryPoints code = EntryPoints.load("deflate_x86_64.bin");
                return code.isSupported() ? link(code) : denied("the processor has no BMI2");
            } catch (ErrnoException e) {
                return denied(e.getMessage());
            }
        }

        private static Code denied(String why) {
            return new Code(why, null, null);
        }

        private static Code link(EntryPoints code) {
            return new Code(
                    null,
                    code.function(1, JAVA_LONG),
                    code.function(
                            2, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG,
                            JAVA_LONG));
        }

        /** {@code int64_t stateBytes(void)} */
        long callStateBytes() {
            try {
                return (long) stateBytes.invokeExact();
            } catch (Throwable t) {
                throw Downcalls.unexpected("stateBytes", t);
            }
        }

        /**
         * {@code int64_t inflate(State *, const uint8_t *stream, int64_t bytes, uint8_t *to,
         * int64_t room, int64_t wanted)}
         */
        long callInflate(
                MemorySegment state, MemorySegment from, MemorySegment target, long wanted) {
            try {
                return (long)
                        inflate.invokeExact(
                                state, from, from.byteSize(), target, target.byteSize(), wanted);
            } catch (Throwable t) {
                throw Downcalls.unexpected("inflate", t);
            }
        }
    }
}
