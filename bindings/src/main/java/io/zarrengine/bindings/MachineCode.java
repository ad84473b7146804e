package io.zarrengine.bindings;

import io.zarrengine.kernels.CompiledCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Functions of our own as machine code, for what Java has no instructions for, or is too slow.
 * {@code -Dio.zarrengine.machinecode=off} switches all of it off.
 */
final class MachineCode {
    private static final String PROPERTY = "io.zarrengine.machinecode";
    private static final int PROT_READ_EXEC = 0x1 | 0x4; // PROT_READ | PROT_EXEC

    private MachineCode() {}

    /** {@return why there is none here, or null} */
    static String denial() {
        return NativeAccess.denial().orElseGet(MachineCode::denialHere);
    }

    private static String denialHere() {
        String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (System.getProperty(PROPERTY, "on").equals("off")) {
            return "switched off by -D" + PROPERTY + "=off";
        }
        return system.equals("Linux on amd64") ? null : "not written for " + system;
    }

    /**
     * {@return where functions begin, in pages that nobody can write to any more; they stay}
     *
     * @param compiled their bytes
     * @param lastWriter writes to them before that
     * @throws ErrnoException if the kernel refuses: EACCES where a policy forbids such pages
     */
    static MemorySegment load(CompiledCode compiled, Consumer<MemorySegment> lastWriter)
            throws ErrnoException {
        byte[] code = bytes(compiled);
        Arena arena = Arena.ofShared(); // The process's.
        MemorySegment pages = MemoryMap.anonymous(code.length, arena);
        pages.copyFrom(MemorySegment.ofArray(code));
        lastWriter.accept(pages);
        try (Arena scratch = Arena.ofConfined()) {
            int result = LibCMemory.mprotect(LibC.newCallState(scratch), pages, PROT_READ_EXEC);
            if (result < 0) {
                arena.close();
                throw new ErrnoException("mprotect", compiled.file(), result);
            }
        }
        return MemorySegment.ofAddress(pages.address()); // Always alive: no call counts.
    }

    private static byte[] bytes(CompiledCode compiled) {
        try {
            return compiled.bytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
