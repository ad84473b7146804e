package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.Lz4Header;
import io.zarrengine.bindings.frames.MappedBytes;
import io.zarrengine.bindings.frames.ZlibHeader;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Checks a frame on the host before nvCOMP decodes it, in well under a microsecond: its lengths
 * must lie within its bytes and lead to the expected size. A frame that fails goes to the CPU's
 * decoder, which reports the error, or decodes what only nvCOMP cannot. The frame may lie in a
 * mapped file, because its bytes are read as {@link MappedBytes}.
 *
 * <p>The check bounds what a decoder reads and writes. It does not prove the entropy-coded parts
 * valid. The CPU decodes bytes that have no checksum and were not written by this engine.
 */
public final class FrameCheck {
    /** 258 bytes from 2 bits, rounded up: RFC 1951, 3.2.5, with one-bit codes. */
    private static final long DEFLATE_RATIO_MAX = 1032;

    private static final int DEFLATE_RESERVED_TYPE = 3; // RFC 1951, 3.2.3

    private FrameCheck() {}

    /**
     * {@return the reason for which nvCOMP must not decode a chunk, or empty if it may}
     *
     * @param format the chunk's format
     * @param encoded its bytes, in host memory
     * @param decodedBytes the expected decoded size, in bytes
     * @param comparesChecksums whether a checksum in the chunk must be compared with the decoded
     *     bytes, which nvCOMP does not do. The checksum of a zlib stream is after its {@link
     *     #zlibBody}
     */
    public static Optional<String> refusal(
            NvcompFormat format,
            MemorySegment encoded,
            long decodedBytes,
            boolean comparesChecksums) {
        if (decodedBytes <= 0 || decodedBytes > format.decodedBytesMax()) {
            return Optional.of(decodedBytes + " decoded bytes");
        }
        if (encoded.byteSize() == 0) {
            return Optional.of("no bytes");
        }
        return switch (format) {
            case ZSTD -> ZstdCheck.refusal(encoded, decodedBytes, comparesChecksums);
            case LZ4 -> ratio(encoded.byteSize(), decodedBytes, Lz4Header.EXPANSION_MAX);
            case SNAPPY -> SnappyBlock.refusal(encoded, decodedBytes);
            case DEFLATE -> deflate(encoded, decodedBytes);
            case GZIP ->
                    comparesChecksums
                            ? Optional.of("a checksum")
                            : GzipMember.refusal(encoded, decodedBytes);
            case GDEFLATE, BITCOMP, CASCADED ->
                    Optional.of(format.cName() + " has no published format to check");
        };
    }

    /**
     * {@return the deflate stream in a zlib stream, or empty if its header is invalid} The caller
     * must compare the checksum at the end with the decoded bytes.
     *
     * @param encoded a zlib stream
     */
    public static Optional<MemorySegment> zlibBody(MemorySegment encoded) {
        long bodyBytes = encoded.byteSize() - ZlibHeader.BYTES - ZlibHeader.TRAILER_BYTES;
        if (bodyBytes <= 0) {
            return Optional.empty();
        }
        ZlibHeader header = ZlibHeader.read(new MappedBytes(encoded));
        return header.isDeflate() && !header.hasDictionary()
                ? Optional.of(encoded.asSlice(ZlibHeader.BYTES, bodyBytes))
                : Optional.empty();
    }

    static Optional<String> deflate(MemorySegment encoded, long decodedBytes) {
        var header = new MappedBytes(encoded);
        int type = header.unsignedByte(0) >> 1 & 3;
        if (type == DEFLATE_RESERVED_TYPE) {
            return Optional.of("the first block has the reserved type");
        }
        if (type == 0) { // stored: its length and the complement, from the next byte on
            if (encoded.byteSize() < 5) {
                return Optional.of("a stored block of " + encoded.byteSize() + " bytes");
            }
            int lengths = header.littleEndianInt(1);
            int length = lengths & 0xffff;
            if ((lengths >>> 16 ^ length) != 0xffff) {
                return Optional.of("a stored block's length and its complement differ");
            }
            if (length > encoded.byteSize() - 5 || length > decodedBytes) {
                return Optional.of("a stored block of " + length + " bytes is too long");
            }
        }
        return ratio(encoded.byteSize(), decodedBytes, DEFLATE_RATIO_MAX);
    }

    private static Optional<String> ratio(long encodedBytes, long decodedBytes, long ratioMax) {
        return decodedBytes / ratioMax > encodedBytes
                ? Optional.of(encodedBytes + " bytes cannot hold " + decodedBytes)
                : Optional.empty();
    }
}
