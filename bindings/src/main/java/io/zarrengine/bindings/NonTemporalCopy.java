package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.Optional;

/**
 * Copies rows by non-temporal stores: lines of the target that a row covers are written around the
 * processor's caches. What they held is not read from memory first, which an ordinary store does,
 * and what the caches hold stays there. For targets that no cache holds: whoever reads them next
 * reads memory.
 *
 * <p>Java has no such stores, so this is machine code of ours, for Linux on x86-64. {@code
 * -Dio.zarrengine.nontemporal=off} switches it off.
 *
 * @see <a
 *     href="https://www.intel.com/content/www/us/en/developer/articles/technical/intel-sdm.html">
 *     Intel SDM, volume 1, 10.4.6.2 Caching of Temporal vs. Non-Temporal Data</a>
 */
public final class NonTemporalCopy {
    private static final String PROPERTY = "io.zarrengine.nontemporal";

    /** What became of loading it: one of the two is null. */
    private record Status(String denial, MethodHandle copyRows) {}

    private static final Status STATUS = load();
    private static final MethodHandle COPY_ROWS = STATUS.copyRows;

    private NonTemporalCopy() {}

    /**
     * Planes of rows of equal length.
     *
     * @param bytes length of a row, {@code >= 0}
     * @param rows of each plane, {@code >= 0}
     * @param sourceStride from a row to the next one, in bytes; may be negative, as all strides
     * @param targetStride the same in the target, where rows must not overlap
     * @param planes {@code >= 0}
     * @param sourcePlaneStride from a plane to the next one, in bytes
     * @param targetPlaneStride the same in the target
     */
    public record Rows(
            long bytes,
            long rows,
            long sourceStride,
            long targetStride,
            long planes,
            long sourcePlaneStride,
            long targetPlaneStride) {

        private boolean isNothing() {
            return bytes == 0 || rows == 0 || planes == 0;
        }

        private void checkCounts() {
            if (bytes < 0 || rows < 0 || planes < 0) {
                throw new IllegalArgumentException(toString());
            }
        }

        /** Throws IndexOutOfBoundsException if a row is not in its segment. */
        private void check(long first, long rowStride, long planeStride, MemorySegment segment) {
            long alongRows = Math.multiplyExact(rows - 1, rowStride);
            long alongPlanes = Math.multiplyExact(planes - 1, planeStride);
            long low = Math.addExact(Math.min(alongRows, 0), Math.min(alongPlanes, 0));
            long high = Math.addExact(Math.max(alongRows, 0), Math.max(alongPlanes, 0));
            long extent = Math.addExact(Math.subtractExact(high, low), bytes);
            Objects.checkFromIndexSize(Math.addExact(first, low), extent, segment.byteSize());
        }
    }

    private static Status load() {
        String denial = NativeAccess.denial().orElseGet(NonTemporalCopy::denialHere);
        if (denial != null) {
            return new Status(denial, null);
        }
        try {
            FunctionDescriptor function =
                    FunctionDescriptor.ofVoid(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG);
            MemorySegment code = MachineCode.load("copy_rows_x86_64.bin");
            return new Status(null, Downcalls.link(code, function));
        } catch (ErrnoException e) {
            return new Status(e.getMessage(), null);
        }
    }

    private static String denialHere() {
        String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (System.getProperty(PROPERTY, "on").equals("off")) {
            return "switched off by -D" + PROPERTY + "=off";
        }
        return system.equals("Linux on amd64") ? null : "not written for " + system;
    }

    /** {@return why there are no such copies, or empty if there are} */
    public static Optional<String> denial() {
        return Optional.ofNullable(STATUS.denial);
    }

    /** {@return whether there are such copies on this machine} */
    public static boolean isAvailable() {
        return COPY_ROWS != null;
    }

    /**
     * Copies rows. They are there for every thread that learns of it.
     *
     * @param source native memory, not a mapped file: if one is cut meanwhile the JVM dies ({@link
     *     MemoryMap#ofFile})
     * @param from where the first row begins in it, in bytes
     * @param target native memory, writable, that does not overlap the source
     * @param to where the first row begins in it, in bytes
     * @param rows what is copied
     * @throws IndexOutOfBoundsException if a row is not in its segment; nothing is copied
     * @throws ArithmeticException if that cannot be told without an overflow; nothing is copied
     * @throws IllegalArgumentException if a count is negative, a segment is on the heap, or the
     *     target may not be written
     * @throws IllegalStateException if a segment has ended
     * @throws UnsupportedOperationException if it is not {@link #isAvailable}
     */
    public static void copy(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        if (COPY_ROWS == null) {
            throw new UnsupportedOperationException(STATUS.denial);
        }
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target may not be written");
        }
        rows.checkCounts();
        if (rows.isNothing()) {
            return;
        }
        rows.check(from, rows.sourceStride, rows.sourcePlaneStride, source);
        rows.check(to, rows.targetStride, rows.targetPlaneStride, target);
        try {
            COPY_ROWS.invokeExact(
                    target.asSlice(to),
                    source.asSlice(from),
                    rows.bytes,
                    rows.rows,
                    rows.targetStride,
                    rows.sourceStride,
                    rows.planes,
                    rows.targetPlaneStride,
                    rows.sourcePlaneStride);
        } catch (Throwable t) {
            throw Downcalls.unexpected("copy_rows", t);
        }
    }
}
