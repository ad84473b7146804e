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
     * @throws NativeMemoryError if there is not that much
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
     * Allocates memory for a result, which somebody may forget to close: when nobody has it any
     * more, nor a slice of it, the collector frees it. Without native access it stays.
     *
     * @param bytes length in bytes, {@code >= 0}
     * @return memory owned by the caller
     * @throws NativeMemoryError if there is not that much
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
     * Lends a part of other memory out.
     *
     * @param block native memory that stays until the arena is closed
     * @param arena ends every slice of the part, and of nothing else in the block
     * @param giveBack what closing does; throws an {@link IllegalStateException} if it was done
     * @return memory owned by the caller
     */
    public static NativeMemory lend(MemorySegment block, Arena arena, Runnable giveBack) {
        MemorySegment part =
                MemorySegment.ofAddress(block.address()).reinterpret(block.byteSize(), arena, null);
        return new NativeMemory(part, giveBack);
    }

    /** {@return all of it; valid until {@link #close}} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Frees the memory and ends every slice of it, or gives back what was lent.
     *
     * @throws IllegalStateException if that was done before, or memory to free is in use by a
     *     native call
     */
    @Override
    public void close() {
        free.run();
    }
}
