package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Downcalls into libc for memory, {@code sys/mman.h}, by the same rules as {@link LibC}. */
public final class LibCMemory {
    // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
    private static final MethodHandle MMAP =
            LibC.link(
                    "mmap",
                    FunctionDescriptor.of(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    // int munmap(void *addr, size_t length)
    private static final MethodHandle MUNMAP =
            LibC.link("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    // int madvise(void *addr, size_t length, int advice)
    private static final MethodHandle MADVISE =
            LibC.link("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    // int mprotect(void *addr, size_t len, int prot)
    private static final MethodHandle MPROTECT =
            LibC.link("mprotect", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    // int mincore(void *addr, size_t length, unsigned char *vec)
    private static final MethodHandle MINCORE =
            LibC.link("mincore", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));

    // int getpagesize(void)
    private static final MethodHandle GETPAGESIZE =
            Downcalls.link("getpagesize", FunctionDescriptor.of(JAVA_INT));

    private LibCMemory() {}

    /** Returns the mapped address or, like the raw system call, -errno in [-4095, -1]. */
    static long mmap(
            MemorySegment callState, long length, int prot, int flags, int fd, long offset) {
        try {
            MemorySegment address =
                    (MemorySegment)
                            MMAP.invokeExact(
                                    callState, MemorySegment.NULL, length, prot, flags, fd, offset);
            return address.address() == -1L ? -LibC.errno(callState) : address.address();
        } catch (Throwable t) {
            throw Downcalls.unexpected("mmap", t);
        }
    }

    static int munmap(MemorySegment callState, MemorySegment region) {
        try {
            int result = (int) MUNMAP.invokeExact(callState, region, region.byteSize());
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("munmap", t);
        }
    }

    static int madvise(MemorySegment callState, MemorySegment region, int advice) {
        try {
            int result = (int) MADVISE.invokeExact(callState, region, region.byteSize(), advice);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("madvise", t);
        }
    }

    static int mprotect(MemorySegment callState, MemorySegment region, int protection) {
        try {
            int result =
                    (int) MPROTECT.invokeExact(callState, region, region.byteSize(), protection);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("mprotect", t);
        }
    }

    /**
     * Reports the pages of a mapping that are in memory, as mincore(2).
     *
     * @param callState receives errno
     * @param pages begins at a page
     * @param residency receives a byte for each page, whose lowest bit is set if the page is in
     *     memory; all of them are set for a file that is neither the caller's nor writable (Linux
     *     5.2)
     * @return 0 or -errno
     */
    public static int mincore(
            MemorySegment callState, MemorySegment pages, MemorySegment residency) {
        try {
            int result = (int) MINCORE.invokeExact(callState, pages, pages.byteSize(), residency);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("mincore", t);
        }
    }

    /** {@return the size of a page in bytes, as getpagesize(2)} */
    public static int getpagesize() {
        try {
            return (int) GETPAGESIZE.invokeExact();
        } catch (Throwable t) {
            throw Downcalls.unexpected("getpagesize", t);
        }
    }
}
