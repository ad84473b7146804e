package io.zarrengine.cuda;

/** How the bytes of a chunk's elements are mixed before they are compressed. */
public enum Shuffle {
    /** All first bytes, then all second bytes, and so on. */
    BYTES(1),
    /** All lowest bits of the first bytes, then all second bits, and so on. */
    BITS(2);

    /** The number in {@code kernels.cu}. */
    final int mode;

    Shuffle(int mode) {
        this.mode = mode;
    }
}
