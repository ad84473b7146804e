package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.Downcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of {@link RowCode}, linked twice.
 *
 * @param toNative writes to native memory
 * @param toHeap writes to the heap: the garbage collector waits for the call
 */
record RowFunction(MethodHandle toNative, MethodHandle toHeap) {
    private static final FunctionDescriptor DESCRIPTOR =
            FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG);

    static RowFunction link(MachineCodeEntries code, int entry) {
        return new RowFunction(
                code.link(entry, DESCRIPTOR),
                code.link(entry, DESCRIPTOR, Linker.Option.critical(true)));
    }

    /** Returns 0, or another number if a page is gone. */
    int call(MemorySegment target, MemorySegment source, RowPlanes rows) {
        return target.isNative()
                ? call(toNative, target, source, rows)
                : call(toHeap, target, source, rows);
    }

    private static int call(
            MethodHandle code, MemorySegment target, MemorySegment source, RowPlanes rows) {
        try {
            return (int)
                    code.invokeExact(
                            target,
                            source,
                            rows.bytes(),
                            rows.rows(),
                            rows.targetStride(),
                            rows.sourceStride(),
                            rows.planes(),
                            rows.targetPlaneStride(),
                            rows.sourcePlaneStride());
        } catch (Throwable t) {
            throw Downcalls.unexpected("copying rows", t);
        }
    }
}
