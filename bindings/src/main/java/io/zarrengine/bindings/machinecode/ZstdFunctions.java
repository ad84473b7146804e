package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.Downcalls;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@link CompiledCode#ZSTD}: see {@link MachineCodeZstd}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 */
record ZstdFunctions(
        String denial,
        MethodHandle stateBytes,
        MethodHandle openState,
        MethodHandle decodeFrame,
        MethodHandle beginFrame,
        MachineCodeEntries code) {
    static ZstdFunctions load() {
        return MachineCodeEntries.loadIfSupported(
                CompiledCode.ZSTD,
                "the processor has no BMI2, or no SSE4.1",
                ZstdFunctions::link,
                ZstdFunctions::denied);
    }

    private static ZstdFunctions denied(String why) {
        return new ZstdFunctions(why, null, null, null, null, null);
    }

    private static ZstdFunctions link(MachineCodeEntries code) {
        return new ZstdFunctions(
                null, code.function(1), code.function(2), code.function(3), code.function(4), code);
    }

    /** Links {@link #callDecodeBlock}, which few arrays need. */
    MethodHandle linkDecodeBlock() {
        return code.function(
                5, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS,
                JAVA_LONG);
    }

    /** {@code int64_t stateBytes(void)} */
    long callStateBytes() {
        try {
            return Downcalls.call(stateBytes);
        } catch (Throwable t) {
            throw Downcalls.unexpected("stateBytes", t);
        }
    }

    /** A call that returns nothing leaves any number where a result would be. */
    private static void callOn(MethodHandle function, MemorySegment state) throws Throwable {
        long ignored = (long) function.invokeExact(state.address(), NULL, 0L, 0L, 0L, state);
    }

    /** {@code void openState(State *)} */
    void callOpenState(MemorySegment state) {
        try {
            callOn(openState, state);
        } catch (Throwable t) {
            throw Downcalls.unexpected("openState", t);
        }
    }

    /**
     * {@code int64_t decodeFrame(int64_t bytes, const uint8_t *frame, int64_t room, int64_t
     * verifiesChecksum, State *, uint8_t *to)}
     */
    long callDecodeFrame(
            MemorySegment state, MemorySegment frame, MemorySegment target, boolean verifies) {
        long address = DecoderCode.addressOf(state);
        return DecoderCode.call(decodeFrame, frame, verifies ? 1 : 0, address, target);
    }

    /** {@code void beginFrame(State *)} */
    void callBeginFrame(MemorySegment state) {
        try {
            callOn(beginFrame, state);
        } catch (Throwable t) {
            throw Downcalls.unexpected("beginFrame", t);
        }
    }

    /**
     * {@code int64_t decodeBlock(State *, const uint8_t *block, int64_t bytes, uint8_t *to, int64_t
     * room, const uint8_t *begin, const uint8_t *farEnd, int64_t farBytes)}
     *
     * @param decodeBlock made by {@link #linkDecodeBlock}
     * @param begin of the segment that ends with the room
     */
    static long callDecodeBlock(
            MethodHandle decodeBlock,
            MemorySegment state,
            MemorySegment block,
            MemorySegment room,
            MemorySegment begin,
            MemorySegment older) {
        try {
            return (long)
                    decodeBlock.invokeExact(
                            state,
                            block,
                            block.byteSize(),
                            room,
                            room.byteSize(),
                            begin,
                            older.asSlice(older.byteSize()),
                            older.byteSize());
        } catch (Throwable t) {
            throw Downcalls.unexpected("decodeBlock", t);
        }
    }
}
