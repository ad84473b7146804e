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
 * The functions of {@link RowCode}, as in its entry.s. They are linked when the first one is
 * called: a new process takes 3 to 10 ms for it, and may not call any.
 */
enum RowFunction {
    NON_TEMPORAL(0),
    SHORT(1),
    ELEMENTS(2);

    private static final FunctionDescriptor DESCRIPTOR =
            FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private record Linked(MethodHandle nonTemporal, MethodHandle shortRows, MethodHandle elements) {
        static Linked link(Linker.Option... options) {
            MachineCodeEntries code = MachineCodeRowCopy.entries();
            return new Linked(
                    code.link(NON_TEMPORAL.entry, DESCRIPTOR, options),
                    code.link(SHORT.entry, DESCRIPTOR, options),
                    code.link(ELEMENTS.entry, DESCRIPTOR, options));
        }

        MethodHandle of(RowFunction function) {
            return function == NON_TEMPORAL
                    ? nonTemporal
                    : function == SHORT ? shortRows : elements;
        }
    }

    private final int entry;

    RowFunction(int entry) {
        this.entry = entry;
    }

    /** {@return the number of its entry} */
    int entry() {
        return entry;
    }

    /** Writes to native memory. */
    private static final class ToNative {
        static final Linked FUNCTIONS = Linked.link();
    }

    /** Writes to the heap: the garbage collector waits for the call. */
    private static final class ToHeap {
        static final Linked FUNCTIONS = Linked.link(Linker.Option.critical(true));
    }

    /** Returns 0, or another number if a page is gone. */
    int call(MemorySegment target, MemorySegment source, RowPlanes rows) {
        return target.isNative()
                ? call(ToNative.FUNCTIONS.of(this), target, source, rows)
                : call(ToHeap.FUNCTIONS.of(this), target, source, rows);
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
