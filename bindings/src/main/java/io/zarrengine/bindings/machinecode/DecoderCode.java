package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.Downcalls;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of a decoder that decodes all of its input, or its front, in one call: {@link
 * MachineCodeLz4}, {@link MachineCodeInflate}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 * @param decodeAddress of {@code decode}, for machine code that calls it
 */
record DecoderCode(
        String denial, MethodHandle stateBytes, MethodHandle decode, long decodeAddress) {
    /**
     * {@return the functions}
     *
     * @param compiled the machine code
     * @param lack message if the CPU lacks a required feature
     */
    static DecoderCode load(CompiledCode compiled, String lack) {
        return MachineCodeEntries.loadIfSupported(
                compiled, lack, DecoderCode::link, DecoderCode::denied);
    }

    private static DecoderCode denied(String why) {
        return new DecoderCode(why, null, null, 0);
    }

    private static DecoderCode link(MachineCodeEntries code) {
        return new DecoderCode(null, code.function(1), code.function(2), code.address(2));
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
     * Calls {@code int64_t decode(int64_t bytes, const uint8_t *from, int64_t room, int64_t wanted,
     * State *, uint8_t *to)}, under any name. The caller keeps the state alive; zero if the decoder
     * has none.
     */
    static long call(
            MethodHandle decode,
            MemorySegment from,
            long wanted,
            long state,
            MemorySegment target) {
        try {
            return (long)
                    decode.invokeExact(
                            from.byteSize(), from, target.byteSize(), wanted, state, target);
        } catch (Throwable t) {
            throw Downcalls.unexpected("decoding", t);
        }
    }

    long callDecode(MemorySegment state, MemorySegment from, MemorySegment target, long wanted) {
        return call(decode, from, wanted, addressOf(state), target);
    }

    /** {@return the address of a decoder's state, which only its owner uses and closes} */
    static long addressOf(MemorySegment state) {
        if (!state.scope().isAlive()) {
            throw new IllegalStateException("the decoder is closed");
        }
        return state.address();
    }
}
