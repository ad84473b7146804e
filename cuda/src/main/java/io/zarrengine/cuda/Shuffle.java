package io.zarrengine.cuda;

/** The order of a chunk's bytes or bits before compression. */
public enum Shuffle {
    /** All first bytes of the elements, then all second bytes, and so on. */
    BYTES(1),
    /** All lowest bits of the elements' first bytes, then all second bits, and so on. */
    BITS(2);

    /** The number in {@code kernels.cu}. */
    final int mode;

    Shuffle(int mode) {
        this.mode = mode;
    }
}
