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
 * A whole file, mapped, to copy from the page cache. The file may be closed while it is mapped.
 *
 * <p>Owner: its opener. Threads: any.
 */
public final class MappedFile implements AutoCloseable {
    private static final int PAGE_BYTES = LibCMemory.getpagesize();

    /** Limit of our mappings. Linux gives a process 65530 by default, and the JVM needs some. */
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
     * {@return a mapped file; empty if the kernel refuses, or would not report which pages are in
     * memory: for direct files, and for files that we neither own nor may write}
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
     * {@return a mapped file}
     *
     * @throws ErrnoException if the kernel refuses, or too many files are mapped
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

    /** {@return the file; see {@link MemoryMap#ofFile} for the rules of access} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * {@return whether every page of a part of the file is in memory}
     *
     * @param offset of the part, in bytes, a multiple of the page size
     * @param bytes length of the part, {@code > 0}
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
