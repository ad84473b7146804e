package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.Downcalls;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@link CompiledCode#SHUFFLE}: see {@link MachineCodeShuffle}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 * @param entries of the code, or null
 * @param multiplies whether the CPU multiplies matrices of bits (GFNI)
 */
record ShuffleFunctions(
        String denial, MachineCodeEntries entries, MethodHandle bitsToPlanes, boolean multiplies) {
    private static final int UNSHUFFLE = 1;

    /** A function of many parameters: a new process takes 10 ms to link it, and may not call it. */
    private static final class Unshuffle {
        static final MethodHandle FUNCTION =
                MachineCodeShuffle.entries()
                        .action(
                                UNSHUFFLE, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG, JAVA_LONG, JAVA_LONG);
    }

    static ShuffleFunctions load() {
        return MachineCodeEntries.loadIfSupported(
                CompiledCode.SHUFFLE,
                "the processor has no BMI2, or no SSE4.1",
                ShuffleFunctions::link,
                why -> new ShuffleFunctions(why, null, null, false));
    }

    private static ShuffleFunctions link(MachineCodeEntries code) {
        return new ShuffleFunctions(null, code, code.function(2), multiplies(code));
    }

    /** {@return the address of {@code unshuffle}, for machine code that calls it} */
    long unshuffleAddress() {
        return entries.address(UNSHUFFLE);
    }

    /** {@code int multipliesMatrices(void)} */
    private static boolean multiplies(MachineCodeEntries code) {
        try {
            return Downcalls.call(code.function(3)) != 0;
        } catch (Throwable t) {
            throw Downcalls.unexpected("multipliesMatrices", t);
        }
    }

    /**
     * {@code void unshuffle(uint8_t *target, int64_t targetStride, int64_t rows, int64_t elements,
     * int64_t stride, int64_t bytes, const uint8_t *p0, ..., const uint8_t *p7)}
     */
    void callUnshuffle(MemorySegment target, RowPlanes rows, MemorySegment[] planes, long from) {
        try {
            Unshuffle.FUNCTION.invokeExact(
                    target,
                    rows.targetStride(),
                    rows.rows(),
                    rows.bytes(),
                    rows.sourceStride(),
                    (long) planes.length,
                    address(planes, 0, from),
                    address(planes, 1, from),
                    address(planes, 2, from),
                    address(planes, 3, from),
                    address(planes, 4, from),
                    address(planes, 5, from),
                    address(planes, 6, from),
                    address(planes, 7, from));
        } catch (Throwable t) {
            throw Downcalls.unexpected("unshuffle", t);
        }
    }

    private static long address(MemorySegment[] planes, int plane, long from) {
        return plane < planes.length ? planes[plane].address() + from : 0;
    }

    /**
     * {@code void bitsToPlanes(int64_t rowBytes, const uint8_t *rows, int64_t planes, int64_t
     * multiplies, int64_t none, uint8_t *to)}
     */
    void callBitsToPlanes(
            MemorySegment rows,
            long rowBytes,
            MemorySegment target,
            int planes,
            boolean byMultiplying) {
        try { // A call that returns nothing leaves any number where a result would be.
            long ignored =
                    (long)
                            bitsToPlanes.invokeExact(
                                    rowBytes,
                                    rows,
                                    (long) planes,
                                    byMultiplying ? 1L : 0L,
                                    0L,
                                    target);
        } catch (Throwable t) {
            throw Downcalls.unexpected("bitsToPlanes", t);
        }
    }
}
