package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The machine code of {@link NativeRowCopy}, {@code code/rows}, and what comes of a bus error in
 * it. With it the process gets a handler of SIGBUS, for good: an error in this code ends the call,
 * any other one goes on to the handler that was there, the JVM's.
 *
 * @param denial why it is not there, or null
 * @param nonTemporal calls a function of it, or null
 * @param shortRows calls the other one, or null
 * @param exposure why a bus error in it ends the process, or null
 */
record RowCode(String denial, MethodHandle nonTemporal, MethodHandle shortRows, String exposure) {
    private static final String RESOURCE = "rows_x86_64.bin";
    private static final String PROPERTY = "io.zarrengine.sigbus";

    // As entry.s has them.
    private static final int NON_TEMPORAL = 0;
    private static final int SHORT = 1;
    private static final int ON_SIGBUS = 2;
    private static final int HANDLER_BEFORE = 3;

    private static final MemoryLayout[] ARGUMENTS = {
        ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
        JAVA_LONG
    };

    static RowCode load() {
        String denial = MachineCode.denial();
        if (denial != null) {
            return denied(denial);
        }
        try (Arena arena = Arena.ofConfined()) {
            SignalAction before = SignalAction.of(SignalAction.SIGBUS, arena);
            EntryPoints code =
                    EntryPoints.load(
                            RESOURCE,
                            pages -> pages.setAtIndex(JAVA_LONG, HANDLER_BEFORE, before.handler()));
            return new RowCode(
                    null,
                    code.function(NON_TEMPORAL, JAVA_INT, ARGUMENTS),
                    code.function(SHORT, JAVA_INT, ARGUMENTS),
                    handleBusErrors(before, code.address(ON_SIGBUS), arena));
        } catch (ErrnoException e) {
            return denied(e.getMessage());
        }
    }

    private static RowCode denied(String why) {
        return new RowCode(why, null, null, why);
    }

    /** Returns why it does not, or null. */
    private static String handleBusErrors(SignalAction before, long handler, Arena arena)
            throws ErrnoException {
        if (System.getProperty(PROPERTY, "on").equals("off")) {
            return "switched off by -D" + PROPERTY + "=off";
        }
        if (!before.takesContext()) {
            return "there is no handler of SIGBUS to pass others on to";
        }
        SignalAction replaced =
                before.withHandler(handler, arena).install(SignalAction.SIGBUS, arena);
        if (replaced.handler() != before.handler()) {
            replaced.install(SignalAction.SIGBUS, arena);
            return "somebody else set a handler of SIGBUS at the same time";
        }
        return null;
    }

    /** Returns 0, or another number if a page was gone. */
    static int call(MethodHandle function, MemorySegment target, MemorySegment source, Rows rows) {
        try {
            return (int)
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
        } catch (Throwable t) {
            throw Downcalls.unexpected("copying rows", t);
        }
    }
}
