package io.zarrengine.bindings.frames;

/**
 * The header of numcodecs before a raw lz4 block, and a limit of the block's size.
 *
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/compression/lz4.html">numcodecs, LZ4</a>
 */
public final class Lz4Header {
    /** Size of a header. */
    public static final int BYTES = Integer.BYTES;

    /**
     * Most bytes that one byte of a block decodes to: it adds them to a match's length
     * (lz4_Block_format.md).
     */
    public static final long EXPANSION_MAX = 255;

    private Lz4Header() {}

    /**
     * {@return the decoded size of the block in bytes, from the header}
     *
     * @param bytes at least {@link #BYTES}
     */
    public static long contentBytes(FrameBytes bytes) {
        return bytes.littleEndian(0, BYTES);
    }
}
