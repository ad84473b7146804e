package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A seccomp filter that answers one system call with an errno, as containers do. It applies to the
 * calling thread and the threads that it starts afterwards, and cannot be removed.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
final class SystemCallFilter {
    // asm-generic/unistd.h; the same on every machine
    static final int IO_URING_SETUP = 425;
    static final int IO_URING_ENTER = 426;
    static final int IO_URING_REGISTER = 427;

    // linux/prctl.h and linux/seccomp.h
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int PR_SET_SECCOMP = 22;
    private static final long SECCOMP_MODE_FILTER = 2;
    private static final int SECCOMP_RET_ERRNO = 0x00050000;
    private static final int SECCOMP_RET_ALLOW = 0x7fff0000;

    // linux/filter.h: { code, jump if true and if false << 8, operand }
    private static final long LOAD_NUMBER = instruction(0x20, 0, 0, 0);

    private SystemCallFilter() {}

    @SuppressWarnings("restricted") // Only a child process calls this, and it may.
    static void install(int systemCall, int errno) throws Throwable {
        MethodHandle prctl =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("prctl"),
                                FunctionDescriptor.of(
                                        JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG,
                                        JAVA_LONG),
                                Linker.Option.firstVariadicArg(1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instructions =
                    arena.allocateFrom(
                            JAVA_LONG,
                            LOAD_NUMBER,
                            // equal: next instruction; otherwise skip one
                            instruction(0x15, 0, 1, systemCall),
                            instruction(0x06, 0, 0, SECCOMP_RET_ERRNO | errno),
                            instruction(0x06, 0, 0, SECCOMP_RET_ALLOW));
            MemorySegment program = arena.allocate(16, 8); // struct sock_fprog
            program.set(JAVA_SHORT, 0, (short) (instructions.byteSize() / 8));
            program.set(ADDRESS, 8, instructions);
            call(prctl, PR_SET_NO_NEW_PRIVS, 1, MemorySegment.NULL);
            call(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program);
        }
    }

    private static void call(MethodHandle prctl, int option, long argument, MemorySegment program)
            throws Throwable {
        int result = (int) prctl.invokeExact(option, argument, program, 0L, 0L);
        if (result != 0) {
            throw new UnsupportedOperationException("prctl " + option + " is refused");
        }
    }

    /** Encodes a {@code struct sock_filter}, little-endian: u16 code, u8 jt, u8 jf, u32 k. */
    private static long instruction(int code, int ifTrue, int ifFalse, int operand) {
        return code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) operand << 32;
    }
}
