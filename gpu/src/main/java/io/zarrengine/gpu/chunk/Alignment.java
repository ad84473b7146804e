package io.zarrengine.gpu.chunk;

/** The alignment of chunks in a batch's memory. */
public final class Alignment {
    /**
     * Alignment in bytes of sources, and of chunks that are not decoded directly to their targets.
     */
    public static final long BYTES = 64;

    private Alignment() {}

    /** {@return the number rounded up to a multiple of {@link #BYTES}} */
    public static long up(long bytes) {
        return (bytes + BYTES - 1) & -BYTES;
    }
}
