package io.zarrengine.bindings.frames;

/**
 * The header that numcodecs writes before a raw lz4 block, and what is known of such a block.
 *
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/compression/lz4.html">numcodecs, LZ4</a>
 */
public final class Lz4Header {
    /** The size of a header. */
    public static final int BYTES = Integer.BYTES;

    /**
     * A byte of a block decodes to so many bytes at most: it adds them to a match's length
     * (lz4_Block_format.md).
     */
    public static final long EXPANSION_MAX = 255;

    private Lz4Header() {}

    /**
     * {@return what the block decodes to, in bytes, as the header says}
     *
     * @param bytes at least {@link #BYTES}
     */
    public static long contentBytes(FrameBytes bytes) {
        return bytes.littleEndian(0, BYTES);
    }
}
