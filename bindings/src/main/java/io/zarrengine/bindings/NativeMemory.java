package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeroed memory outside the heap, limited only by the machine. It comes from {@code mmap(2)}, so
 * {@code -XX:MaxDirectMemorySize} does not count it, and untouched pages cost nothing. If native
 * access is denied, it comes from an arena, which that limit counts.
 *
 * <p>Owner: the caller that allocated it. Threads: any.
 */
public final class NativeMemory implements AutoCloseable {
    /** Memory of at least this size is on huge pages if the kernel has them. */
    public static final long HUGE_PAGE_BYTES = MemoryMap.HUGE_PAGE_BYTES;

    private final MemorySegment segment;
    private final Runnable free;

    private NativeMemory(MemorySegment segment, Runnable free) {
        this.segment = segment;
        this.free = free;
    }

    /**
     * Allocates memory, aligned to 8 bytes at least.
     *
     * @param bytes length in bytes, {@code >= 0}
     * @return memory owned by the caller
     * @throws NativeMemoryError if there is not enough
     */
    public static NativeMemory allocate(long bytes) {
        Arena arena = Arena.ofShared();
        try {
            return new NativeMemory(allocate(bytes, arena), arena::close);
        } catch (Throwable t) { // Allowed: nothing leaks when there is no memory
            arena.close();
            throw t;
        }
    }

    /**
     * Allocates memory for a result, which the user may forget to close: the garbage collector
     * frees it once it and all slices are unreachable. Without native access it is not freed.
     *
     * @param bytes length in bytes, {@code >= 0}
     * @return memory owned by the caller
     * @throws NativeMemoryError if there is not enough
     */
    public static NativeMemory allocateWatched(long bytes) {
        if (isArenas(bytes)) {
            return allocate(bytes);
        }
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = allocate(bytes, arena);
            long address = segment.address();
            LeakWatch watch =
                    LeakWatch.of(
                            arena.scope(),
                            () -> MemoryMap.unmapAnonymous(address, bytes),
                            () -> "a result of " + bytes + " bytes");
            return new NativeMemory(
                    segment,
                    () -> {
                        arena.close();
                        watch.end();
                    });
        } catch (Throwable t) { // Allowed: nothing leaks when there is no memory
            arena.close();
            throw t;
        }
    }

    private static boolean isArenas(long bytes) {
        return NativeAccess.denial().isPresent() || bytes == 0;
    }

    private static MemorySegment allocate(long bytes, Arena arena) {
        try {
            return isArenas(bytes)
                    ? arena.allocate(bytes, Long.BYTES)
                    : MemoryMap.anonymous(bytes, arena);
        } catch (ErrnoException | OutOfMemoryError e) {
            throw new NativeMemoryError(e);
        }
    }

    /**
     * Lends a part of other memory.
     *
     * @param block native memory that stays valid until the arena is closed
     * @param arena ends every slice of the part, and of nothing else in the block
     * @param giveBack runs on close; throws an {@link IllegalStateException} if it has already run
     * @return memory owned by the caller
     */
    public static NativeMemory lend(MemorySegment block, Arena arena, Runnable giveBack) {
        MemorySegment part =
                MemorySegment.ofAddress(block.address()).reinterpret(block.byteSize(), arena, null);
        return new NativeMemory(part, giveBack);
    }

    /** {@return all of the memory; valid until {@link #close}} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Frees the memory and ends every slice of it, or gives back lent memory.
     *
     * @throws IllegalStateException if this was already closed, or the memory to free is in use by
     *     a native call
     */
    @Override
    public void close() {
        free.run();
    }
}
