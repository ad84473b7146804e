package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.Downcalls;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The function of {@link CompiledCode#TRANSFORM}: see {@link MachineCodeTransform}.
 *
 * @param denial the reason why it is missing, or null; if it is set, the handle is null
 */
record TransformFunction(String denial, MethodHandle rows) {
    static TransformFunction load() {
        return MachineCodeEntries.loadIfSupported(
                CompiledCode.TRANSFORM,
                "the processor has no AVX2, or no F16C",
                code -> new TransformFunction(null, code.function(1)),
                why -> new TransformFunction(why, null));
    }

    /**
     * {@code void transformRows(int64_t begin, const char *source, int64_t end, const Program
     * *program, int64_t isFar, char *target)}
     */
    void call(
            long begin,
            MemorySegment source,
            long end,
            long program,
            boolean isFar,
            MemorySegment target) {
        try {
            long _ = (long) rows.invokeExact(begin, source, end, program, isFar ? 1L : 0L, target);
        } catch (Throwable t) {
            throw Downcalls.unexpected("transformRows", t);
        }
    }
}
