package io.zarrengine.nvcomp;

import io.zarrengine.bindings.MappedBytes;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A gzip member's header and the size at its end. A second member would make that size another one,
 * unless both sizes add up; then nvCOMP's size per chunk differs and the CPU takes over.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952#section-2.3">RFC 1952, 2.3</a>
 */
final class GzipMember {
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8; // CRC-32, size

    private static final int HEADER_CRC = 0x02;
    private static final int EXTRA = 0x04;
    private static final int NAME = 0x08;
    private static final int COMMENT = 0x10;
    private static final int RESERVED = 0xe0;

    private GzipMember() {}

    static Optional<String> refusal(MemorySegment member, long decodedBytes) {
        long bytes = member.byteSize();
        if (bytes <= HEADER_BYTES + TRAILER_BYTES) {
            return Optional.of("a member of " + bytes + " bytes");
        }
        var header = new MappedBytes(member);
        boolean isGzip =
                header.unsignedByte(0) == 0x1f
                        && header.unsignedByte(1) == 0x8b
                        && header.unsignedByte(2) == 8;
        int flags = header.unsignedByte(3);
        if (!isGzip || (flags & RESERVED) != 0) {
            return Optional.of("no gzip member");
        }
        long size = header.littleEndian(bytes - 4, 4);
        if (size != decodedBytes) {
            return Optional.of(size + " decoded bytes, expected " + decodedBytes);
        }
        long body = bodyOffset(header, bytes, flags);
        return body >= bytes - TRAILER_BYTES
                ? Optional.of("the header is cut off")
                : FrameCheck.deflate(
                        member.asSlice(body, bytes - TRAILER_BYTES - body), decodedBytes);
    }

    /** Behind the optional fields; the member's end if one of them is cut off. */
    private static long bodyOffset(MappedBytes header, long memberBytes, int flags) {
        long at = HEADER_BYTES;
        if ((flags & EXTRA) != 0) {
            at = Math.min(at + 2 + header.littleEndian(at, 2), memberBytes);
        }
        if ((flags & NAME) != 0) {
            at = afterString(header, at, memberBytes);
        }
        if ((flags & COMMENT) != 0) {
            at = afterString(header, at, memberBytes);
        }
        return at + ((flags & HEADER_CRC) != 0 ? 2 : 0);
    }

    private static long afterString(MappedBytes header, long from, long memberBytes) {
        long at = from;
        while (at < memberBytes && header.unsignedByte(at) != 0) {
            at++;
        }
        return at + 1;
    }
}
