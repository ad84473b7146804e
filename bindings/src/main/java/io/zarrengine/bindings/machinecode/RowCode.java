package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.SignalAction;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.Arena;

/**
 * The machine code of {@link MachineCodeRowCopy}, {@link CompiledCode#ROWS}, and its handling of
 * bus errors. It installs a permanent SIGBUS handler in the process: an error in this code ends the
 * call, any other one goes to the previous handler, the JVM's.
 *
 * @param denial the reason why the code is missing, or null
 * @param nonTemporal a function of the code, or null
 * @param shortRows another function, or null
 * @param elements a third function, or null
 * @param exposure the reason why a bus error in the code ends the process, or null
 */
record RowCode(
        String denial,
        RowFunction nonTemporal,
        RowFunction shortRows,
        RowFunction elements,
        String exposure) {
    private static final String PROPERTY = "io.zarrengine.sigbus";

    // In the order of entry.s.
    private static final int NON_TEMPORAL = 0;
    private static final int SHORT = 1;
    private static final int ELEMENTS = 2;
    private static final int ON_SIGBUS = 3;
    private static final int HANDLER_BEFORE = 4;

    static RowCode load() {
        String denial = MachineCode.denial();
        if (denial != null) {
            return denied(denial);
        }
        try (Arena arena = Arena.ofConfined()) {
            SignalAction before = SignalAction.of(SignalAction.SIGBUS, arena);
            MachineCodeEntries code =
                    MachineCodeEntries.load(
                            CompiledCode.ROWS,
                            pages -> pages.setAtIndex(JAVA_LONG, HANDLER_BEFORE, before.handler()));
            return new RowCode(
                    null,
                    RowFunction.link(code, NON_TEMPORAL),
                    RowFunction.link(code, SHORT),
                    RowFunction.link(code, ELEMENTS),
                    handleBusErrors(before, code.address(ON_SIGBUS), arena));
        } catch (ErrnoException e) {
            return denied(e.getMessage());
        }
    }

    private static RowCode denied(String why) {
        return new RowCode(why, null, null, null, why);
    }

    /** Installs the handler; returns the reason why not, or null. */
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
}
