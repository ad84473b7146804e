package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of a decoder that decodes all of its input, or its front, in one call: {@link
 * MachineCodeLz4}, {@link MachineCodeInflate}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 */
record DecoderCode(String denial, MethodHandle stateBytes, MethodHandle decode) {
    /**
     * {@return the functions}
     *
     * @param compiled the machine code
     * @param lack message if the CPU lacks a required feature
     */
    static DecoderCode load(CompiledCode compiled, String lack) {
        return EntryPoints.loadIfSupported(compiled, lack, DecoderCode::link, DecoderCode::denied);
    }

    private static DecoderCode denied(String why) {
        return new DecoderCode(why, null, null);
    }

    private static DecoderCode link(EntryPoints code) {
        return new DecoderCode(
                null,
                code.function(1),
                code.function(
                        2, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
    }

    /**
     * {@return the state of a new decoder, zeroed as the decoder requires}
     *
     * @throws UnsupportedOperationException if the functions are missing
     */
    NativeMemory newState() {
        if (denial != null) {
            throw new UnsupportedOperationException(denial);
        }
        return NativeMemory.allocate(callStateBytes());
    }

    /** {@code int64_t stateBytes(void)} */
    private long callStateBytes() {
        try {
            return Downcalls.call(stateBytes);
        } catch (Throwable t) {
            throw Downcalls.unexpected("stateBytes", t);
        }
    }

    /**
     * Calls {@code int64_t decode(State *, const uint8_t *from, int64_t bytes, uint8_t *to, int64_t
     * room, int64_t wanted)}, under any name.
     */
    long callDecode(MemorySegment state, MemorySegment from, MemorySegment target, long wanted) {
        try {
            return (long)
                    decode.invokeExact(
                            state, from, from.byteSize(), target, target.byteSize(), wanted);
        } catch (Throwable t) {
            throw Downcalls.unexpected("decode", t);
        }
    }
}
