package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A decoder of LZ4 blocks as machine code of ours, for Linux on x86-64 with AVX-512 VBMI and VL:
 * 0.9 to 2.1 times as fast as liblz4 on the samples that were measured, 1.5 on shuffled elements
 * (docs/lz4.md). It refuses what is damaged: then another decoder tells what is wrong. What it
 * accepts, up to 2 GiB, is what liblz4 would make of it. It remembers what kind of blocks it has
 * seen, for speed alone.
 *
 * <p>Whatever the input, nothing is read or written outside of what a call is given. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>
 */
public final class NativeLz4 implements AutoCloseable {
    private static final Code CODE = Code.load();

    private final NativeMemory state;

    /**
     * Creates a decoder, a page.
     *
     * @throws UnsupportedOperationException if it is not {@linkplain #denial there}
     */
    public NativeLz4() {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        state = NativeMemory.allocate(CODE.callStateBytes()); // Zeroed, as it must be.
    }

    /** What it remembers; whatever is written there, it decodes the same. */
    MemorySegment state() {
        return state.segment();
    }

    /** {@return why there is no such decoder, or empty if there is} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * Decodes a block.
     *
     * @param block all of it, and nothing behind it: native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @return how many bytes it decodes to; negative if it is refused
     */
    public long decode(MemorySegment block, MemorySegment target) {
        return decodeFront(block, target, Long.MAX_VALUE);
    }

    /**
     * Decodes the front of a block, and looks at nothing behind the sequence in which that ends.
     *
     * @param block native memory that is no mapped file
     * @param target native memory, of which anything may be written
     * @param bytes how many are wanted, not negative
     * @return how many were decoded: as many, or fewer if the block has no more; negative if it is
     *     refused
     */
    public long decodeFront(MemorySegment block, MemorySegment target, long bytes) {
        return CODE.callDecodeBlock(state.segment(), block, target, bytes);
    }

    @Override
    public void close() {
        state.close();
    }

    /**
     * The functions of {@code code/lz4}.
     *
     * @param denial why they are not there, or null; then there is nothing else
     */
    private record Code(String denial, MethodHandle stateBytes, MethodHandle decodeBlock) {
        static Code load() {
            String denial = MachineCode.denial();
            if (denial != null) {
                return denied(denial);
            }
            try {
                EntryPoints code = EntryPoints.load("lz4_x86_64.bin");
                return code.isSupported()
                        ? link(code)
                        : denied("the processor has no AVX-512 VBMI, or no VL");
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
         * {@code int64_t decodeBlock(State *, const uint8_t *block, int64_t bytes, uint8_t *to,
         * int64_t room, int64_t wanted)}
         */
        long callDecodeBlock(
                MemorySegment state, MemorySegment block, MemorySegment target, long wanted) {
            try {
                return (long)
                        decodeBlock.invokeExact(
                                state, block, block.byteSize(), target, target.byteSize(), wanted);
            } catch (Throwable t) {
                throw Downcalls.unexpected("decodeBlock", t);
            }
        }
    }
}
