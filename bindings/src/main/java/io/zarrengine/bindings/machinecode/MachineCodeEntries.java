package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.Downcalls;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The entry points of some {@linkplain MachineCode machine code}: one every 8 bytes from its front
 * on, in the order of its {@code entry.s}. The first function of a decoder returns whether the CPU
 * has the features that the others need.
 *
 * @param code never freed
 */
record MachineCodeEntries(MemorySegment code) {
    private static final int ENTRY_BYTES = 8;

    static MachineCodeEntries load(CompiledCode compiled) throws ErrnoException {
        return load(compiled, pages -> {});
    }

    /** {@code lastWriter} writes to the code before its pages become read-only. */
    static MachineCodeEntries load(CompiledCode compiled, Consumer<MemorySegment> lastWriter)
            throws ErrnoException {
        return new MachineCodeEntries(MachineCode.load(compiled, lastWriter));
    }

    /**
     * {@return the linked functions, or the object that holds the reason why there are none}
     *
     * @param compiled the machine code
     * @param lack message if the CPU lacks a required feature
     */
    static <T> T loadIfSupported(
            CompiledCode compiled,
            String lack,
            Function<MachineCodeEntries, T> linked,
            Function<String, T> denied) {
        String denial = MachineCode.denial();
        if (denial != null) {
            return denied.apply(denial);
        }
        try {
            MachineCodeEntries code = load(compiled);
            return code.isSupported() ? linked.apply(code) : denied.apply(lack);
        } catch (ErrnoException e) {
            return denied.apply(e.getMessage());
        }
    }

    /** {@code int isSupported(void)} */
    boolean isSupported() {
        try {
            return Downcalls.call(function(0)) != 0;
        } catch (Throwable t) {
            throw Downcalls.unexpected("isSupported", t);
        }
    }

    /** Links a function that {@link Downcalls#SHAPE} fits. */
    MethodHandle function(int entry) {
        return link(entry, Downcalls.SHAPE);
    }

    MethodHandle function(int entry, MemoryLayout result, MemoryLayout... arguments) {
        return link(entry, FunctionDescriptor.of(result, arguments));
    }

    MethodHandle action(int entry, MemoryLayout... arguments) {
        return link(entry, FunctionDescriptor.ofVoid(arguments));
    }

    MethodHandle link(int entry, FunctionDescriptor function, Linker.Option... options) {
        return Downcalls.link(MemorySegment.ofAddress(address(entry)), function, options);
    }

    long address(int entry) {
        return code.address() + (long) entry * ENTRY_BYTES;
    }
}
