package io.zarrengine.gpu.chunk;

/** The alignment of chunks in a batch's memory. */
public final class Alignment {
    /** Sources, and what is not decoded to its target, begin at multiples of this, in bytes. */
    public static final long BYTES = 64;

    private Alignment() {}

    /** {@return the first multiple from a number on} */
    public static long up(long bytes) {
        return (bytes + BYTES - 1) & -BYTES;
    }
}
