package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * A function of our machine code that copies {@link Rows}: see {@link NativeRowCopy}.
 *
 * @param denial why it is not there, or null
 * @param code what calls it, or null
 */
record RowFunction(String denial, MethodHandle code) {
    /** {@return the function of a resource of {@link MachineCode}} */
    static RowFunction load(String resource) {
        String denial = MachineCode.denial();
        if (denial != null) {
            return new RowFunction(denial, null);
        }
        try {
            FunctionDescriptor function =
                    FunctionDescriptor.ofVoid(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG);
            MemorySegment code = MachineCode.load(resource);
            return new RowFunction(null, Downcalls.link(code, function));
        } catch (ErrnoException e) {
            return new RowFunction(e.getMessage(), null);
        }
    }

    /** Calls it with what has been checked, unless there is nothing to copy. */
    void copy(MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        if (code == null) {
            throw new UnsupportedOperationException(denial);
        }
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target may not be written");
        }
        if (!source.isNative()) {
            throw new IllegalArgumentException("the source is on the heap");
        }
        if (!source.scope().isAlive()) {
            throw new IllegalStateException("the source has ended");
        }
        if (!source.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the source is another thread's");
        }
        rows.checkCounts();
        if (rows.isNothing()) {
            return;
        }
        rows.check(from, rows.sourceStride(), rows.sourcePlaneStride(), source);
        rows.check(to, rows.targetStride(), rows.targetPlaneStride(), target);
        try {
            code.invokeExact(
                    target.asSlice(to),
                    MemorySegment.ofAddress(source.address() + from), // Not counted.
                    rows.bytes(),
                    rows.rows(),
                    rows.targetStride(),
                    rows.sourceStride(),
                    rows.planes(),
                    rows.targetPlaneStride(),
                    rows.sourcePlaneStride());
        } catch (Throwable t) {
            throw Downcalls.unexpected("machine code", t);
        } finally {
            Reference.reachabilityFence(source);
        }
    }
}
