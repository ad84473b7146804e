package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * A function of our machine code that copies {@link Rows}: see {@link NativeRowCopy}.
 *
 * <p>A short call does without what lets the JVM go on while it runs: the fence for that waits for
 * all that was stored, and non-temporal stores take long.
 *
 * @param denial why it is not there, or null
 * @param code what calls it, or null
 * @param briefCode what calls it for few bytes, or null
 */
record RowFunction(String denial, MethodHandle code, MethodHandle briefCode) {
    /** A safepoint waits for such a call: 2.4 to 11 us for so much, whatever the rows' length. */
    private static final long BRIEF_BYTES_MAX = 64 << 10;

    /** {@return the function of a resource of {@link MachineCode}} */
    static RowFunction load(String resource) {
        String denial = MachineCode.denial();
        if (denial != null) {
            return new RowFunction(denial, null, null);
        }
        try {
            FunctionDescriptor function =
                    FunctionDescriptor.ofVoid(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG);
            MemorySegment code = MachineCode.load(resource);
            return new RowFunction(
                    null,
                    Downcalls.link(code, function),
                    Downcalls.link(
                            code,
                            function,
                            Linker.Option.critical(false))); // Allowed: see BRIEF_BYTES_MAX.
        } catch (ErrnoException e) {
            return new RowFunction(e.getMessage(), null, null);
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
        MemorySegment first = MemorySegment.ofAddress(source.address() + from); // Not counted.
        try {
            if (rows.areWithin(BRIEF_BYTES_MAX)) {
                call(briefCode, first, target.asSlice(to), rows);
            } else {
                call(code, first, target.asSlice(to), rows);
            }
        } catch (Throwable t) {
            throw Downcalls.unexpected("machine code", t);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    private static void call(
            MethodHandle function, MemorySegment source, MemorySegment target, Rows rows)
            throws Throwable {
        function.invokeExact(
                target,
                source,
                rows.bytes(),
                rows.rows(),
                rows.targetStride(),
                rows.sourceStride(),
                rows.planes(),
                rows.targetPlaneStride(),
                rows.sourcePlaneStride());
    }
}
