package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The action of the process for a signal: {@code struct sigaction} of {@code signal.h}, of glibc
 * and musl on x86-64. Owner: its arena.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/sigaction.2.html">sigaction(2)</a>
 */
public final class SignalAction {
    /** The signal of an access to a page that a file no longer has. */
    public static final int SIGBUS = 7;

    // BindingLayoutTest compares these with the C compiler's.
    static final long STRUCT_BYTES = 152;
    static final long HANDLER_OFFSET = 0;
    static final long FLAGS_OFFSET = 136;

    private static final long SIG_IGN = 1; // SIG_DFL is 0; greater values are functions
    private static final int SA_SIGINFO = 4;

    private final MemorySegment struct;

    private SignalAction(Arena arena) {
        struct = arena.allocate(STRUCT_BYTES, Long.BYTES);
    }

    /**
     * {@return the current action for a signal}
     *
     * @param signal its number
     * @param arena frees the action
     * @throws ErrnoException if the kernel refuses
     */
    public static SignalAction of(int signal, Arena arena) throws ErrnoException {
        SignalAction action = new SignalAction(arena);
        call(signal, MemorySegment.NULL, action.struct);
        return action;
    }

    /** {@return the address of the handler} */
    public long handler() {
        return struct.get(JAVA_LONG, HANDLER_OFFSET);
    }

    /** {@return whether the handler is a function with three arguments} */
    public boolean takesContext() {
        return handler() > SIG_IGN && (struct.get(JAVA_INT, FLAGS_OFFSET) & SA_SIGINFO) != 0;
    }

    /**
     * {@return the same action with another handler}
     *
     * @param handler its address
     * @param arena frees the action
     */
    public SignalAction withHandler(long handler, Arena arena) {
        SignalAction action = new SignalAction(arena);
        action.struct.copyFrom(struct);
        action.struct.set(JAVA_LONG, HANDLER_OFFSET, handler);
        return action;
    }

    /**
     * Installs this action.
     *
     * @param signal its number
     * @param arena frees the previous action
     * @return the previous action
     * @throws ErrnoException if the kernel refuses
     */
    public SignalAction install(int signal, Arena arena) throws ErrnoException {
        SignalAction before = new SignalAction(arena);
        call(signal, struct, before.struct);
        return before;
    }

    private static void call(int signal, MemorySegment action, MemorySegment before)
            throws ErrnoException {
        try (Arena scratch = Arena.ofConfined()) {
            int result = LibC.sigaction(LibC.newCallState(scratch), signal, action, before);
            if (result < 0) {
                throw new ErrnoException("sigaction", "signal " + signal, result);
            }
        }
    }
}
