package io.zarrengine.bindings.frames;

/**
 * The header of a zlib stream.
 *
 * @param isDeflate whether it is a header of a deflate stream
 * @param hasDictionary whether the stream needs a dictionary
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1950#section-2.2">RFC 1950, 2.2</a>
 */
public record ZlibHeader(boolean isDeflate, boolean hasDictionary) {
    /** Size of a header. */
    public static final int BYTES = 2;

    /** Size of the trailer after the deflate stream: Adler-32. */
    public static final int TRAILER_BYTES = 4;

    private static final int METHOD = 0x0f;
    private static final int DEFLATE = 8;
    private static final int WINDOW_MAX = 7; // log2 of its bytes, minus 8
    private static final int DICTIONARY = 0x20;
    private static final int DIVISOR = 31; // of the header, as a big-endian number

    /**
     * Reads a stream's header.
     *
     * @param stream at least {@link #BYTES} of it
     * @return the header
     */
    public static ZlibHeader read(FrameBytes stream) {
        int method = stream.unsignedByte(0);
        int flags = stream.unsignedByte(1);
        boolean isDeflate =
                (method & METHOD) == DEFLATE
                        && method >> 4 <= WINDOW_MAX
                        && (method << Byte.SIZE | flags) % DIVISOR == 0;
        return new ZlibHeader(isDeflate, (flags & DICTIONARY) != 0);
    }
}
