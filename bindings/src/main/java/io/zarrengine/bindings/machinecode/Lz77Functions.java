package io.zarrengine.bindings.machinecode;

import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@link CompiledCode#LZ77}: see {@link MachineCodeLz77}.
 *
 * @param denial the reason why the functions are missing, or null; if it is set, the handles are
 *     null
 * @param blosclzAddress of {@code blosclz}, for machine code that calls it
 */
record Lz77Functions(
        String denial, MethodHandle blosclz, MethodHandle snappy, long blosclzAddress) {
    static Lz77Functions load() {
        return MachineCodeEntries.loadIfSupported(
                CompiledCode.LZ77,
                "the processor has no BMI2, or no SSE4.1",
                code ->
                        new Lz77Functions(
                                null, code.function(1), code.function(2), code.address(1)),
                why -> new Lz77Functions(why, null, null, 0));
    }

    /** Calls {@code decodeBlosclz}. */
    long callBlosclz(MemorySegment stream, MemorySegment target, long wanted) {
        return DecoderCode.call(blosclz, stream, wanted, 0, target);
    }

    /** Calls {@code decodeSnappy}. */
    long callSnappy(MemorySegment block, MemorySegment target, long wanted) {
        return DecoderCode.call(snappy, block, wanted, 0, target);
    }
}
