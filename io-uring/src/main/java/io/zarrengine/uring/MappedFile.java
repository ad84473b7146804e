package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.LibCMemory;
import io.zarrengine.bindings.MemoryMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All of a file, mapped, to be copied from where the page cache holds it. It does not need the file
 * to stay open.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class MappedFile implements AutoCloseable {
    private static final int PAGE_BYTES = LibCMemory.getpagesize();

    /** Of the 65530 mappings that Linux gives a process by default the JVM needs some. */
    private static final int MAPPINGS_MAX = 16_384;

    private static final AtomicInteger mappings = new AtomicInteger();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    private MappedFile(int descriptor, long byteSize) throws ErrnoException {
        try {
            segment = MemoryMap.ofFile(descriptor, byteSize, arena);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    /**
     * {@return a file, mapped; empty if the kernel refuses, or would not say what of it is in
     * memory: of files around the page cache, and of those that are neither ours nor writable}
     *
     * @param file an open file
     */
    public static Optional<MappedFile> tryOpen(FileHandle file) {
        if (!(file instanceof DescriptorFile opened) || !opened.mayBeMapped()) {
            return Optional.empty();
        }
        try {
            return Optional.of(open(opened.descriptor(), file.byteSize()));
        } catch (ErrnoException e) {
            return Optional.empty();
        }
    }

    /**
     * {@return a file, mapped}
     *
     * @throws ErrnoException if the kernel refuses, or there are very many already
     */
    static MappedFile open(int descriptor, long byteSize) throws ErrnoException {
        boolean isOpen = false;
        try {
            if (mappings.incrementAndGet() > MAPPINGS_MAX) {
                throw new ErrnoException("mmap", byteSize + " bytes of a file", -Errno.ENOMEM);
            }
            MappedFile file = new MappedFile(descriptor, byteSize);
            isOpen = true;
            return file;
        } finally {
            if (!isOpen) {
                mappings.decrementAndGet();
            }
        }
    }

    /** {@return the file; see {@link MemoryMap#ofFile} for what may be done with it} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * {@return whether all of a part of the file is in memory}
     *
     * @param offset where the part begins, in bytes, at a multiple of a page
     * @param bytes how long it is; {@code > 0}
     */
    public boolean isInMemory(long offset, long bytes) {
        MemorySegment part = segment.asSlice(offset, bytes);
        long pages = Math.ceilDiv(bytes, PAGE_BYTES);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment residency = scratch.allocate(pages);
            if (LibCMemory.mincore(LibC.newCallState(scratch), part, residency) < 0) {
                return false;
            }
            for (long page = 0; page < pages; page++) {
                if ((residency.get(JAVA_BYTE, page) & 1) == 0) {
                    return false;
                }
            }
            return true;
        }
    }

    @Override
    public void close() {
        try {
            arena.close();
        } finally {
            mappings.decrementAndGet();
        }
    }
}
