package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeroed memory outside the heap, as large as the machine allows: from {@code mmap(2)}, so that
 * {@code -XX:MaxDirectMemorySize} does not count it and only pages that are touched cost anything.
 * Where native access is denied it is an arena's, which that limit does count.
 *
 * <p>Owner: who allocated it. Threads: any.
 */
public final class NativeMemory implements AutoCloseable {
    /** Memory of such a size, or more, lies on huge pages where the kernel has them. */
    public static final long HUGE_PAGE_BYTES = MemoryMap.HUGE_PAGE_BYTES;

    private final MemorySegment segment;
    private final Arena arena;

    private NativeMemory(MemorySegment segment, Arena arena) {
        this.segment = segment;
        this.arena = arena;
    }

    /**
     * Allocates memory, aligned to 8 bytes at least.
     *
     * @param bytes length in bytes, {@code >= 0}
     * @return memory owned by the caller
     * @throws OutOfMemoryError if there is not that much
     */
    public static NativeMemory allocate(long bytes) {
        Arena arena = Arena.ofShared();
        try {
            return new NativeMemory(allocate(bytes, arena), arena);
        } catch (Throwable t) { // Allowed: nothing leaks when there is no memory
            arena.close();
            throw t;
        }
    }

    private static MemorySegment allocate(long bytes, Arena arena) {
        if (NativeAccess.denial().isPresent() || bytes == 0) {
            return arena.allocate(bytes, Long.BYTES);
        }
        try {
            return MemoryMap.anonymous(bytes, arena);
        } catch (ErrnoException e) {
            OutOfMemoryError error = new OutOfMemoryError(e.getMessage());
            error.initCause(e);
            throw error;
        }
    }

    /**
     * Lends a part of other memory out: closing ends every slice of the part, and of nothing else.
     *
     * @param block native memory that stays until it is given back
     * @param giveBack told when nobody can access the part any more; must not throw
     * @return memory owned by the caller
     */
    public static NativeMemory lend(MemorySegment block, Runnable giveBack) {
        Arena arena = Arena.ofShared();
        MemorySegment part =
                MemorySegment.ofAddress(block.address())
                        .reinterpret(block.byteSize(), arena, ended -> giveBack.run());
        return new NativeMemory(part, arena);
    }

    /** {@return all of it; valid until {@link #close}} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Frees the memory and ends every slice of it.
     *
     * @throws IllegalStateException if it was freed before, or is in use by a native call
     */
    @Override
    public void close() {
        arena.close();
    }
}
