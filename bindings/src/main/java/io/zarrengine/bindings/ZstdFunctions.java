package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

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
        MethodHandle decodeBlock) {
    static ZstdFunctions load() {
        return EntryPoints.loadIfSupported(
                CompiledCode.ZSTD,
                "the processor has no BMI2, or no SSE4.1",
                ZstdFunctions::link,
                ZstdFunctions::denied);
    }

    private static ZstdFunctions denied(String why) {
        return new ZstdFunctions(why, null, null, null, null, null);
    }

    private static ZstdFunctions link(EntryPoints code) {
        return new ZstdFunctions(
                null,
                code.function(1, JAVA_LONG),
                code.action(2, ADDRESS),
                code.function(
                        3, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                code.action(4, ADDRESS),
                code.function(
                        5, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS,
                        ADDRESS, JAVA_LONG));
    }

    /** {@code int64_t stateBytes(void)} */
    long callStateBytes() {
        try {
            return (long) stateBytes.invokeExact();
        } catch (Throwable t) {
            throw Downcalls.unexpected("stateBytes", t);
        }
    }

    /** {@code void openState(State *)} */
    void callOpenState(MemorySegment state) {
        try {
            openState.invokeExact(state);
        } catch (Throwable t) {
            throw Downcalls.unexpected("openState", t);
        }
    }

    /**
     * {@code int64_t decodeFrame(State *, const uint8_t *frame, int64_t bytes, uint8_t *to, int64_t
     * room, int64_t verifiesChecksum)}
     */
    long callDecodeFrame(
            MemorySegment state, MemorySegment frame, MemorySegment target, boolean verifies) {
        try {
            return (long)
                    decodeFrame.invokeExact(
                            state,
                            frame,
                            frame.byteSize(),
                            target,
                            target.byteSize(),
                            verifies ? 1L : 0L);
        } catch (Throwable t) {
            throw Downcalls.unexpected("decodeFrame", t);
        }
    }

    /** {@code void beginFrame(State *)} */
    void callBeginFrame(MemorySegment state) {
        try {
            beginFrame.invokeExact(state);
        } catch (Throwable t) {
            throw Downcalls.unexpected("beginFrame", t);
        }
    }

    /**
     * {@code int64_t decodeBlock(State *, const uint8_t *block, int64_t bytes, uint8_t *to, int64_t
     * room, const uint8_t *begin, const uint8_t *farEnd, int64_t farBytes)}
     *
     * @param begin of the segment that ends with the room
     */
    long callDecodeBlock(
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
