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
 * @param entries of the code: {@link RowFunction}, and others; or null
 * @param exposure the reason why a bus error in the code ends the process, or null
 */
record RowCode(String denial, MachineCodeEntries entries, String exposure) {
    private static final String PROPERTY = "io.zarrengine.sigbus";

    // In entry.s, behind the functions.
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
            return new RowCode(null, code, handleBusErrors(before, code.address(ON_SIGBUS), arena));
        } catch (ErrnoException e) {
            return denied(e.getMessage());
        }
    }

    private static RowCode denied(String why) {
        return new RowCode(why, null, why);
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
