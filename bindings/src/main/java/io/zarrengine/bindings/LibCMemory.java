package io.zarrengine.bindings;

import static io.zarrengine.bindings.Downcalls.number;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Downcalls into libc for memory, {@code sys/mman.h}, by the same rules as {@link LibC}. */
public final class LibCMemory {
    // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
    private static final MethodHandle MMAP = LibC.link("mmap");

    // int munmap(void *addr, size_t length)
    private static final MethodHandle MUNMAP = LibC.link("munmap");

    // int madvise(void *addr, size_t length, int advice)
    private static final MethodHandle MADVISE = LibC.link("madvise");

    // int mprotect(void *addr, size_t len, int prot)
    private static final MethodHandle MPROTECT = LibC.link("mprotect");

    // int mincore(void *addr, size_t length, unsigned char *vec)
    private static final MethodHandle MINCORE = LibC.link("mincore");

    // int getpagesize(void)
    private static final MethodHandle GETPAGESIZE = Downcalls.link("getpagesize", Downcalls.SHAPE);

    private LibCMemory() {}

    /** Returns the mapped address or, like the raw system call, -errno in [-4095, -1]. */
    static long mmap(
            MemorySegment callState, long length, int prot, int flags, int fd, long offset) {
        try {
            long address =
                    (long)
                            MMAP.invokeExact(
                                    callState,
                                    0L,
                                    number(length),
                                    (long) prot,
                                    (long) flags,
                                    (long) fd,
                                    number(offset));
            return address == -1L ? -LibC.errno(callState) : address;
        } catch (Throwable t) {
            throw Downcalls.unexpected("mmap", t);
        }
    }

    static int munmap(MemorySegment callState, MemorySegment region) {
        try {
            int result =
                    (int)
                            (long)
                                    MUNMAP.invokeExact(
                                            callState,
                                            region.address(),
                                            number(region.byteSize()),
                                            0L,
                                            0L,
                                            0L,
                                            region);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("munmap", t);
        }
    }

    static int madvise(MemorySegment callState, MemorySegment region, int advice) {
        try {
            int result =
                    (int)
                            (long)
                                    MADVISE.invokeExact(
                                            callState,
                                            region.address(),
                                            number(region.byteSize()),
                                            (long) advice,
                                            0L,
                                            0L,
                                            region);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("madvise", t);
        }
    }

    /**
     * {@code int mprotect(void *addr, size_t size, int prot)}.
     *
     * @param callState receives errno, see {@link LibC#newCallState}
     * @param region whole pages
     * @param protection the bits of {@code PROT_READ} and its neighbours
     * @return 0, or the error as a negative number
     */
    public static int mprotect(MemorySegment callState, MemorySegment region, int protection) {
        try {
            int result =
                    (int)
                            (long)
                                    MPROTECT.invokeExact(
                                            callState,
                                            region.address(),
                                            number(region.byteSize()),
                                            (long) protection,
                                            0L,
                                            0L,
                                            region);
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
            int result =
                    (int)
                            (long)
                                    MINCORE.invokeExact(
                                            callState,
                                            pages.address(),
                                            number(pages.byteSize()),
                                            residency.address(),
                                            0L,
                                            0L,
                                            pages);
            return result == 0 ? 0 : -LibC.errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("mincore", t);
        }
    }

    /** {@return the size of a page in bytes, as getpagesize(2)} */
    public static int getpagesize() {
        try {
            return Downcalls.call(GETPAGESIZE);
        } catch (Throwable t) {
            throw Downcalls.unexpected("getpagesize", t);
        }
    }
}
