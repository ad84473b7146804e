package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Gives a pointer from a native library an owner. This is a restricted operation, and all of those
 * are in this module.
 */
public final class NativeHandle {
    private NativeHandle() {}

    /**
     * Attaches an opaque handle to an arena: closing the arena frees it.
     *
     * @param pointer from the library; not null
     * @param arena its owner
     * @param free the library's function, called once, on the thread that closes the arena
     * @return the handle, of size 0, unusable after the arena is closed
     */
    public static MemorySegment attach(
            MemorySegment pointer, Arena arena, Consumer<MemorySegment> free) {
        assert pointer.address() != 0 : "a null handle has nothing to free";
        return pointer.reinterpret(0, arena, free);
    }

    /**
     * {@return a C string that a library owns, copied}
     *
     * @param pointer a NUL-terminated string, or null
     * @param bytesMax limit of its length in bytes
     * @throws IndexOutOfBoundsException if there is no NUL within {@code bytesMax}
     */
    public static String string(MemorySegment pointer, long bytesMax) {
        return pointer.address() == 0 ? "" : pointer.reinterpret(bytesMax).getString(0);
    }

    /**
     * {@return the same memory as {@code segment}, accessible from every thread}
     *
     * <p>For a blocking call whose caller owns a confined segment and waits: the caller keeps the
     * memory alive until the call returns.
     *
     * @param segment native memory
     */
    public static MemorySegment withoutOwner(MemorySegment segment) {
        return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
    }

    /**
     * {@return memory that code outside of Java has allocated}
     *
     * <p>The caller keeps it allocated while the segment is in use.
     *
     * @param address its first byte
     * @param bytes its length
     */
    public static MemorySegment ofForeign(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
