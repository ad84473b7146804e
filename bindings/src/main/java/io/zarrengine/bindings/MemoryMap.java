package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory from {@code mmap(2)}, unmapped when its arena ends. Slices may be lent until then, also to
 * the kernel: using one afterwards throws {@link IllegalStateException} and accesses no memory. The
 * owner may close the arena only after the kernel has completed all operations on lent slices.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2)</a>
 */
public final class MemoryMap {
    private static final int PROT_READ = 0x1;
    private static final int PROT_READ_WRITE = 0x1 | 0x2; // PROT_READ | PROT_WRITE
    private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20; // MAP_PRIVATE | MAP_ANONYMOUS
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_SHARED_POPULATE = 0x01 | 0x8000; // MAP_SHARED | MAP_POPULATE
    private static final int MADV_HUGEPAGE = 14; // asm-generic/mman-common.h
    static final long HUGE_PAGE_BYTES = 2 << 20; // x86-64; at least as large elsewhere

    private MemoryMap() {}

    /**
     * Maps zeroed anonymous memory, on transparent huge pages if the kernel has them: reads with
     * O_DIRECT into them are 1.6 to 1.8 times as fast as into 4 KiB pages.
     *
     * @param byteSize length in bytes, {@code > 0}; the kernel rounds it up to whole pages
     * @param arena of the memory
     * @return the memory
     * @throws ErrnoException ENOMEM if the kernel refuses; EINVAL if {@code byteSize} is 0
     */
    public static MemorySegment anonymous(long byteSize, Arena arena) throws ErrnoException {
        long wholeBytes = byteSize & -HUGE_PAGE_BYTES;
        long mappedBytes = mappedBytes(byteSize);
        String subject = byteSize + " bytes";
        MemorySegment memory =
                map(mappedBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0, subject, arena);
        if (wholeBytes > 0) {
            try (Arena scratch = Arena.ofConfined()) {
                // Only advice: a kernel without huge pages refuses it, and the memory is usable
                // anyway.
                MemorySegment whole = memory.asSlice(0, wholeBytes);
                LibCMemory.madvise(LibC.newCallState(scratch), whole, MADV_HUGEPAGE);
            }
        }
        return memory.asSlice(0, byteSize);
    }

    /**
     * Returns the length to map. The kernel aligns a mapping to huge pages only if its length is a
     * multiple of one.
     */
    private static long mappedBytes(long byteSize) {
        long wholeBytes = byteSize & -HUGE_PAGE_BYTES;
        boolean fits = wholeBytes == byteSize || wholeBytes <= 0;
        return fits ? byteSize : wholeBytes + HUGE_PAGE_BYTES;
    }

    /**
     * Unmaps anonymous memory whose arena is garbage, so that it will never be closed.
     *
     * @param address of the memory
     * @param byteSize as requested
     */
    static void unmapAnonymous(long address, long byteSize) {
        unmap(MemorySegment.ofAddress(address).reinterpret(mappedBytes(byteSize)));
    }

    /**
     * Maps a descriptor's memory, shared with the kernel.
     *
     * @param fd the descriptor, e.g. an io_uring
     * @param offset of the area, in bytes
     * @param byteSize length in bytes, {@code > 0}
     * @param arena of the memory
     * @return the memory
     * @throws ErrnoException if the kernel refuses
     */
    public static MemorySegment ofDescriptor(int fd, long offset, long byteSize, Arena arena)
            throws ErrnoException {
        String subject = "descriptor " + fd + " at " + offset + ", " + byteSize + " bytes";
        return map(byteSize, PROT_READ_WRITE, MAP_SHARED_POPULATE, fd, offset, subject, arena);
    }

    /**
     * Maps a file for reading. If the file ends before its mapping, or its device fails, an access
     * causes a SIGBUS. For copies in Java, the JVM then throws an {@link InternalError}, some time
     * later ({@link FileStatus.Size} documents when at the latest). In native code and in loads of
     * the Vector API, the JVM dies (JDK 25), except if {@link
     * io.zarrengine.bindings.machinecode.MachineCodeRowCopy#exposure} is empty. Numbers must be
     * read through {@link io.zarrengine.bindings.frames.MappedBytes}.
     *
     * @param fd the file, which may be closed afterwards
     * @param byteSize its length in bytes, {@code > 0}
     * @param arena of the mapping
     * @return the file
     * @throws ErrnoException if the kernel refuses
     */
    public static MemorySegment ofFile(int fd, long byteSize, Arena arena) throws ErrnoException {
        String subject = "file " + fd + ", " + byteSize + " bytes";
        return map(byteSize, PROT_READ, MAP_SHARED, fd, 0, subject, arena).asReadOnly();
    }

    private static MemorySegment map(
            long byteSize,
            int protection,
            int flags,
            int fd,
            long offset,
            String subject,
            Arena arena)
            throws ErrnoException {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(scratch);
            long address = LibCMemory.mmap(callState, byteSize, protection, flags, fd, offset);
            if (address < 0) {
                throw new ErrnoException("mmap", subject, address);
            }
            MemorySegment memory = MemorySegment.ofAddress(address);
            try {
                return memory.reinterpret(byteSize, arena, MemoryMap::unmap);
            } catch (Throwable t) { // Allowed: nothing is left mapped
                unmap(memory.reinterpret(byteSize));
                throw t;
            }
        }
    }

    private static void unmap(MemorySegment memory) {
        try (Arena scratch = Arena.ofConfined()) {
            int result = LibCMemory.munmap(LibC.newCallState(scratch), memory);
            if (result < 0) {
                throw new AssertionError("munmap(" + memory + "): " + Errno.name(-result));
            }
        }
    }
}
