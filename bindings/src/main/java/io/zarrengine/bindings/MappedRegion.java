package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory from {@code mmap(2)}, unmapped by {@link #close()}.
 *
 * <p>Owner: who opened it; any thread may use and close it. Slices of {@link #segment()} may be
 * lent out, also to the kernel, until the region ends: using one afterwards throws {@link
 * IllegalStateException} and touches nothing. The owner closes only after the kernel has answered
 * for everything it was lent.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2)</a>
 */
public final class MappedRegion implements AutoCloseable {
    private static final int PROT_READ = 0x1;
    private static final int PROT_READ_WRITE = 0x1 | 0x2; // PROT_READ | PROT_WRITE
    private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20; // MAP_PRIVATE | MAP_ANONYMOUS
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_SHARED_POPULATE = 0x01 | 0x8000; // MAP_SHARED | MAP_POPULATE
    private static final int MADV_HUGEPAGE = 14; // asm-generic/mman-common.h
    static final long HUGE_PAGE_BYTES = 2 << 20; // x86-64; elsewhere at least as large

    private final Arena arena;
    private final MemorySegment segment;

    private MappedRegion(Arena arena, MemorySegment segment) {
        this.arena = arena;
        this.segment = segment;
    }

    /**
     * Maps zeroed anonymous memory, on transparent huge pages where the kernel has them: reads with
     * O_DIRECT into them are 1.6 to 1.8 times as fast as into 4 KiB pages.
     *
     * @param byteSize length in bytes, {@code > 0}; the kernel rounds it up to whole pages
     * @return a region owned by the caller
     * @throws ErrnoException ENOMEM if the kernel refuses; EINVAL if {@code byteSize} is 0
     */
    public static MappedRegion anonymous(long byteSize) throws ErrnoException {
        long wholeBytes = byteSize & -HUGE_PAGE_BYTES;
        if (wholeBytes <= 0) {
            return map(
                    byteSize,
                    byteSize,
                    PROT_READ_WRITE,
                    MAP_PRIVATE_ANONYMOUS,
                    -1,
                    0,
                    byteSize + " bytes");
        }
        // The kernel begins a mapping at a huge page only if its length is a multiple of one.
        long mappedBytes = wholeBytes == byteSize ? byteSize : wholeBytes + HUGE_PAGE_BYTES;
        String subject = byteSize + " bytes";
        MappedRegion region =
                map(byteSize, mappedBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0, subject);
        try (Arena scratch = Arena.ofConfined()) {
            // Advice: a kernel without huge pages refuses it, and the memory serves all the same.
            MemorySegment whole = region.segment.asSlice(0, wholeBytes);
            LibCMemory.madvise(LibC.newCallState(scratch), whole, MADV_HUGEPAGE);
        }
        return region;
    }

    /**
     * Maps a descriptor's memory, shared with the kernel.
     *
     * @param fd the descriptor, e.g. an io_uring
     * @param offset which of its areas, in bytes
     * @param byteSize length in bytes, {@code > 0}
     * @return a region owned by the caller
     * @throws ErrnoException if the kernel refuses
     */
    public static MappedRegion ofDescriptor(int fd, long offset, long byteSize)
            throws ErrnoException {
        String subject = "descriptor " + fd + " at " + offset + ", " + byteSize + " bytes";
        return map(byteSize, byteSize, PROT_READ_WRITE, MAP_SHARED_POPULATE, fd, offset, subject);
    }

    /**
     * Maps a file, to be read. Where the file ends before its mapping does, or its device fails, an
     * access is a SIGBUS: the JVM makes an {@link InternalError} of that for copies in Java, some
     * time later ({@link FileStatus.Size} says when at the latest), and dies of it in native code
     * and in loads of the Vector API (JDK 25); numbers are read as {@link MappedBytes}.
     *
     * @param fd the file, which may be closed afterwards
     * @param byteSize its length in bytes, {@code > 0}
     * @return a region owned by the caller
     * @throws ErrnoException if the kernel refuses
     */
    public static MappedRegion ofFile(int fd, long byteSize) throws ErrnoException {
        String subject = "file " + fd + ", " + byteSize + " bytes";
        return map(byteSize, byteSize, PROT_READ, MAP_SHARED, fd, 0, subject);
    }

    private static MappedRegion map(
            long byteSize,
            long mappedBytes,
            int protection,
            int flags,
            int fd,
            long offset,
            String subject)
            throws ErrnoException {
        Arena arena = Arena.ofShared();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(scratch);
            long address = LibCMemory.mmap(callState, mappedBytes, protection, flags, fd, offset);
            if (address < 0) {
                throw new ErrnoException("mmap", subject, address);
            }
            MemorySegment segment =
                    MemorySegment.ofAddress(address)
                            .reinterpret(mappedBytes, arena, MappedRegion::unmap);
            return new MappedRegion(arena, segment.asSlice(0, byteSize));
        } catch (Throwable t) { // Allowed: nothing leaks when the second half fails
            arena.close();
            throw t;
        }
    }

    /** {@return the whole region; valid until {@link #close()}} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Unmaps the region and ends every slice of it.
     *
     * @throws IllegalStateException if already closed, or if a native call uses it right now: the
     *     caller's bug
     */
    @Override
    public void close() {
        arena.close();
    }

    private static void unmap(MemorySegment region) {
        try (Arena scratch = Arena.ofConfined()) {
            int result = LibCMemory.munmap(LibC.newCallState(scratch), region);
            if (result < 0) {
                throw new AssertionError("munmap(" + region + "): " + Errno.name(-result));
            }
        }
    }
}
