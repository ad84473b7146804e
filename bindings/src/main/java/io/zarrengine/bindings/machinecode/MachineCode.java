package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.LibCMemory;
import io.zarrengine.bindings.MemoryMap;
import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.kernels.CompiledCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Loads the engine's machine code, for work that Java has no instructions for or is too slow for.
 * {@code -Dio.zarrengine.machinecode=off} switches all of it off.
 */
final class MachineCode {
    private static final String PROPERTY = "io.zarrengine.machinecode";
    private static final int PROT_READ_EXEC = 0x1 | 0x4; // PROT_READ | PROT_EXEC

    private MachineCode() {}

    /** {@return the reason why machine code cannot run here, or null} */
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
     * {@return the begin of the functions, in pages that are read-only now and never freed}
     *
     * @param compiled their bytes
     * @param lastWriter writes to the pages before they become read-only
     * @throws ErrnoException if the kernel refuses: EACCES if a policy forbids executable pages
     */
    static MemorySegment load(CompiledCode compiled, Consumer<MemorySegment> lastWriter)
            throws ErrnoException {
        byte[] code = bytes(compiled);
        Arena arena = Arena.ofShared(); // never closed
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
        return MemorySegment.ofAddress(pages.address()); // always alive: calls need not count users
    }

    private static byte[] bytes(CompiledCode compiled) {
        try {
            return compiled.bytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
