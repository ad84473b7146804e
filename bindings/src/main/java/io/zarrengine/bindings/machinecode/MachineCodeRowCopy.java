package io.zarrengine.bindings.machinecode;

import io.zarrengine.bindings.HeapCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;

/**
 * Copies rows by machine code, for Linux on x86-64: Java checks every row that it copies, and has
 * no non-temporal stores. {@code -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>The source may be a mapped file if {@link #exposure} is empty: if the file is truncated
 * meanwhile, the call throws. Otherwise the JVM would die ({@link
 * io.zarrengine.bindings.MemoryMap#ofFile}). The caller keeps the source alive until the call
 * returns. The call keeps the target alive, which {@linkplain #isCounted may be slow}. All
 * functions throw:
 *
 * <ul>
 *   <li>IndexOutOfBoundsException if a row is not in its segment; nothing is copied
 *   <li>ArithmeticException if checking that overflows; nothing is copied
 *   <li>IllegalArgumentException if a count is negative, the source is on the heap, the target is
 *       read-only, or rows are not elements
 *   <li>IllegalStateException if a segment has ended
 *   <li>WrongThreadException if a segment is another thread's
 *   <li>UnsupportedOperationException if they are not {@linkplain #isAvailable there}, or
 *       {@linkplain #mayWrite may not write} to the target
 *   <li>InternalError if a page is gone, as in a Java copy; some of the target may be written
 * </ul>
 */
public final class MachineCodeRowCopy {
    private static final RowCode CODE = RowCode.load();

    private static final long ELEMENT_BYTES_MAX = 16;

    private static final Class<?> SHARED = Arena.ofShared().scope().getClass(); // has no memory

    private MachineCodeRowCopy() {}

    /**
     * {@return whether each native call increments and decrements a segment's user count} This is
     * how FFM keeps a shared arena open during a call: with one counter, which the calls of all
     * threads change. Segments of a confined, an automatic or the global arena have no such cost.
     *
     * @param segment native memory
     */
    public static boolean isCounted(MemorySegment segment) {
        return segment.scope().getClass() == SHARED;
    }

    /** {@return the reason why the copies are missing; empty if they are there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /** {@return whether the copies are there on this machine} */
    public static boolean isAvailable() {
        return CODE.denial() == null;
    }

    /**
     * {@return whether the copies may write to a target: to the heap not {@linkplain HeapCalls on
     * every JDK}}
     *
     * @param target of the rows
     */
    public static boolean mayWrite(MemorySegment target) {
        return target.isNative() || HeapCalls.denial().isEmpty();
    }

    /**
     * {@return the reason why the source must not be a mapped file; empty if it may be one} If it
     * may, this class has set a handler of SIGBUS, which passes signals from other code to the
     * handler before. {@code -Dio.zarrengine.sigbus=off} keeps the old handler.
     */
    public static Optional<String> exposure() {
        return Optional.ofNullable(CODE.exposure());
    }

    /**
     * Copies by non-temporal stores, which write whole lines of the target past the CPU's caches.
     * An ordinary store first reads the line from memory, and evicts another line from the cache.
     * For targets larger than the caches, because a later read of the target reads memory. The rows
     * are visible to every thread that synchronizes with this one.
     *
     * @param source native memory
     * @param from offset of the first row in the source, in bytes
     * @param target does not overlap the source; for a target on the heap, the copy must be short
     * @param to offset of the first row in the target, in bytes
     * @param rows to copy
     * @see <a
     *     href="https://www.intel.com/content/www/us/en/developer/articles/technical/intel-sdm.html">
     *     Intel SDM, volume 1, 10.4.6.2 Caching of Temporal vs. Non-Temporal Data</a>
     */
    public static void copyNonTemporal(
            MemorySegment source, long from, MemorySegment target, long to, RowPlanes rows) {
        copy(RowFunction.NON_TEMPORAL, source, from, target, to, rows);
    }

    /**
     * Copies by ordinary stores. For rows of up to some KiB, because Java's checks are negligible
     * for longer rows. Prefetches the source a page ahead.
     *
     * @param source native memory
     * @param from offset of the first row in the source, in bytes
     * @param target does not overlap the source; for a target on the heap, the copy must be short
     * @param to offset of the first row in the target, in bytes
     * @param rows to copy
     */
    public static void copyShort(
            MemorySegment source, long from, MemorySegment target, long to, RowPlanes rows) {
        copy(RowFunction.SHORT, source, from, target, to, rows);
    }

    /**
     * {@return whether rows are short enough to be copied as elements}
     *
     * @param bytes length of a row
     */
    public static boolean areElements(long bytes) {
        return bytes > 0 && bytes <= ELEMENT_BYTES_MAX && Long.bitCount(bytes) == 1;
    }

    /**
     * Copies elements, each a row, by ordinary stores. The distances between them are arbitrary. If
     * the elements of a plane are adjacent in the target, and those of one row of all planes
     * adjacent in the source, this transposes a matrix, block by block in registers.
     *
     * @param source native memory
     * @param from offset of the first element in the source, in bytes
     * @param target does not overlap the source; for a target on the heap, the copy must be short
     * @param to offset of the first element in the target, in bytes
     * @param elements to copy: rows that {@linkplain #areElements are elements}, or none
     */
    public static void copyElements(
            MemorySegment source, long from, MemorySegment target, long to, RowPlanes elements) {
        if (!elements.isNothing() && !areElements(elements.bytes())) {
            throw new IllegalArgumentException(elements.toString());
        }
        copy(RowFunction.ELEMENTS, source, from, target, to, elements);
    }

    private static void copy(
            RowFunction function,
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            RowPlanes rows) {
        if (!isAvailable()) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        if (!mayWrite(target)) {
            throw new UnsupportedOperationException(HeapCalls.denial().orElseThrow());
        }
        checkMemory(source, target);
        rows.checkCounts();
        if (rows.isNothing()) {
            return;
        }
        rows.check(from, rows.sourceStride(), rows.sourcePlaneStride(), source);
        rows.check(to, rows.targetStride(), rows.targetPlaneStride(), target);
        MemorySegment begin = MemorySegment.ofAddress(source.address() + from); // not counted
        try {
            if (function.call(target.asSlice(to), begin, rows) != 0) {
                throw new InternalError("a page of what is copied is gone (SIGBUS)");
            }
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    /** Returns the functions, which {@linkplain #isAvailable are there}. */
    static MachineCodeEntries entries() {
        return CODE.entries();
    }

    static void checkMemory(MemorySegment source, MemorySegment target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target may not be written");
        }
        if (!source.isNative()) {
            throw new IllegalArgumentException("the source is on the heap");
        }
        if (!source.scope().isAlive()) {
            throw new IllegalStateException("the source has ended");
        }
        if (!source.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the source is another thread's");
        }
    }
}
