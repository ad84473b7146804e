package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@link CompiledCode#LZ77}: see {@link MachineCodeLz77}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 */
record Lz77Functions(String denial, MethodHandle blosclz, MethodHandle snappy) {
    static Lz77Functions load() {
        return EntryPoints.loadIfSupported(
                CompiledCode.LZ77,
                "the processor has no BMI2, or no SSE4.1",
                code -> new Lz77Functions(null, decoder(code, 1), decoder(code, 2)),
                why -> new Lz77Functions(why, null, null));
    }

    private static MethodHandle decoder(EntryPoints code, int entry) {
        return code.function(entry, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
    }

    /** Calls {@code decodeBlosclz}. */
    long callBlosclz(MemorySegment stream, MemorySegment target, long wanted) {
        return call(blosclz, stream, target, wanted);
    }

    /** Calls {@code decodeSnappy}. */
    long callSnappy(MemorySegment block, MemorySegment target, long wanted) {
        return call(snappy, block, target, wanted);
    }

    /**
     * Calls {@code int64_t decode(const uint8_t *at, int64_t bytes, uint8_t *to, int64_t room,
     * int64_t wanted)}, under any name.
     */
    private static long call(
            MethodHandle decoder, MemorySegment from, MemorySegment target, long wanted) {
        try {
            return (long)
                    decoder.invokeExact(from, from.byteSize(), target, target.byteSize(), wanted);
        } catch (Throwable t) {
            throw Downcalls.unexpected("decoding", t);
        }
    }
}
