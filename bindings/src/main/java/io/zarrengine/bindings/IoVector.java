package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct iovec}: the target of one part of a vectored read, or a buffer to register.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/iovec.3type.html">iovec(3type)</a>
 */
public final class IoVector {
    /** {@code struct iovec}: address, then length. */
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(ADDRESS.withName("iov_base"), JAVA_LONG.withName("iov_len"));

    private static final long LENGTH_OFFSET = ADDRESS.byteSize();

    private IoVector() {}

    /**
     * Sets element {@code index} of an array of vectors.
     *
     * @param vectors {@code struct iovec[]}
     * @param index of the element
     * @param target the memory; the caller keeps it alive while the kernel may use it
     */
    public static void set(MemorySegment vectors, long index, MemorySegment target) {
        long at = index * LAYOUT.byteSize();
        vectors.set(ADDRESS, at, target);
        vectors.set(JAVA_LONG, at + LENGTH_OFFSET, target.byteSize());
    }
}
