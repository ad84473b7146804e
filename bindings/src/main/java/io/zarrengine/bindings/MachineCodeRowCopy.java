package io.zarrengine.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;

/**
 * Copies rows by machine code of ours, for Linux on x86-64: Java checks every row that it copies,
 * and has no non-temporal stores. {@code -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Where {@linkplain #exposure nothing is said against it} the source may be a mapped file: if it
 * is cut meanwhile, the call throws. Else the JVM would die of that ({@link MemoryMap#ofFile}). The
 * caller keeps the source from ending until the call returns; the target is kept by the call, which
 * {@linkplain #isCounted may be slow}. What all functions throw:
 *
 * <ul>
 *   <li>IndexOutOfBoundsException if a row is not in its segment; nothing is copied
 *   <li>ArithmeticException if that cannot be told without an overflow; nothing is copied
 *   <li>IllegalArgumentException if a count is negative, the source is on the heap, the target may
 *       not be written, or rows are no elements
 *   <li>IllegalStateException if a segment has ended
 *   <li>WrongThreadException if a segment is another thread's
 *   <li>UnsupportedOperationException if they are not {@linkplain #isAvailable there}, or
 *       {@linkplain #mayWrite may not write} to the target
 *   <li>InternalError if a page is gone, as of a copy in Java; some of the target may be written
 * </ul>
 */
public final class MachineCodeRowCopy {
    private static final RowCode CODE = RowCode.load();
    private static final RowFunction NON_TEMPORAL = CODE.nonTemporal();
    private static final RowFunction SHORT = CODE.shortRows();
    private static final RowFunction ELEMENTS = CODE.elements();

    private static final long ELEMENT_BYTES_MAX = 16;

    private static final Class<?> SHARED = Arena.ofShared().scope().getClass(); // Has no memory.

    private MachineCodeRowCopy() {}

    /**
     * {@return whether each native call counts a segment's users up and down} So FFM keeps a shared
     * arena from being closed meanwhile: one number, which the calls of all threads change. What
     * belongs to a confined, an automatic or the global arena costs nothing of that kind.
     *
     * @param segment native memory
     */
    public static boolean isCounted(MemorySegment segment) {
        return segment.scope().getClass() == SHARED;
    }

    /** {@return why there are no such copies, or empty if there are} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /** {@return whether there are such copies on this machine} */
    public static boolean isAvailable() {
        return NON_TEMPORAL != null;
    }

    /**
     * {@return whether they may write there: to the heap not {@linkplain HeapCalls on every JDK}}
     *
     * @param target where rows go
     */
    public static boolean mayWrite(MemorySegment target) {
        return target.isNative() || HeapCalls.denial().isEmpty();
    }

    /**
     * {@return why the source must not be a mapped file, or empty if it may be one} Then this has
     * set a handler of SIGBUS, which passes on to the one before whatever is not of these copies.
     * {@code -Dio.zarrengine.sigbus=off} leaves that alone.
     */
    public static Optional<String> exposure() {
        return Optional.ofNullable(CODE.exposure());
    }

    /**
     * Copies by non-temporal stores: lines of the target that a row covers are written around the
     * processor's caches. What they held is not read from memory first, which an ordinary store
     * does, and what the caches hold stays there. For targets that no cache holds: whoever reads
     * them next reads memory. The rows are there for every thread that learns of it.
     *
     * @param source native memory
     * @param from where the first row begins in it, in bytes
     * @param target does not overlap the source; on the heap, what is copied must be short
     * @param to where the first row begins in it, in bytes
     * @param rows what is copied
     * @see <a
     *     href="https://www.intel.com/content/www/us/en/developer/articles/technical/intel-sdm.html">
     *     Intel SDM, volume 1, 10.4.6.2 Caching of Temporal vs. Non-Temporal Data</a>
     */
    public static void copyNonTemporal(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        copy(NON_TEMPORAL, source, from, target, to, rows);
    }

    /**
     * Copies by ordinary stores. For rows of up to some KiB: of longer ones what Java checks does
     * not count. What lies a page ahead in the source is fetched meanwhile.
     *
     * @param source native memory
     * @param from where the first row begins in it, in bytes
     * @param target does not overlap the source; on the heap, what is copied must be short
     * @param to where the first row begins in it, in bytes
     * @param rows what is copied
     */
    public static void copyShort(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        copy(SHORT, source, from, target, to, rows);
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
     * Copies elements by ordinary stores, each a row, which may be at any distance from each other.
     * Where those of a plane lie side by side in the target, and those of one row of all planes
     * side by side in the source, this transposes a matrix, block by block in registers.
     *
     * @param source native memory
     * @param from where the first one is in it, in bytes
     * @param target does not overlap the source; on the heap, what is copied must be short
     * @param to where the first one goes in it, in bytes
     * @param elements what is copied: rows that {@linkplain #areElements are elements}, or none
     */
    public static void copyElements(
            MemorySegment source, long from, MemorySegment target, long to, Rows elements) {
        if (!elements.isNothing() && !areElements(elements.bytes())) {
            throw new IllegalArgumentException(elements.toString());
        }
        copy(ELEMENTS, source, from, target, to, elements);
    }

    private static void copy(
            RowFunction function,
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            Rows rows) {
        if (function == null) {
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
        MemorySegment begin = MemorySegment.ofAddress(source.address() + from); // Not counted.
        try {
            if (function.call(target.asSlice(to), begin, rows) != 0) {
                throw new InternalError("a page of what is copied is gone (SIGBUS)");
            }
        } finally {
            Reference.reachabilityFence(source);
        }
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
