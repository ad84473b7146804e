package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.GzipHeader;
import io.zarrengine.bindings.frames.MappedBytes;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Checks a gzip member's header, and the size at its end. With a second member that size differs,
 * unless both sizes add up. In that case nvCOMP's size of the chunk differs, and the CPU decodes
 * it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952#section-2.3">RFC 1952, 2.3</a>
 */
final class GzipMember {
    private GzipMember() {}

    static Optional<String> refusal(MemorySegment member, long decodedBytes) {
        long bytes = member.byteSize();
        if (bytes <= GzipHeader.BYTES_MIN + GzipHeader.TRAILER_BYTES) {
            return Optional.of("a member of " + bytes + " bytes");
        }
        var numbers = new MappedBytes(member);
        if (!GzipHeader.isAtFrontOf(numbers)) {
            return Optional.of("no gzip member");
        }
        GzipHeader header = GzipHeader.read(numbers);
        if (!header.isDeflate() || header.hasReservedFlag()) {
            return Optional.of("no gzip member");
        }
        long size = GzipHeader.contentBytes(numbers);
        if (size != decodedBytes) {
            return Optional.of(size + " decoded bytes, expected " + decodedBytes);
        }
        long bodyBytes = bytes - GzipHeader.TRAILER_BYTES - header.bytes();
        return bodyBytes <= 0
                ? Optional.of("the header is cut off")
                : FrameCheck.deflate(member.asSlice(header.bytes(), bodyBytes), decodedBytes);
    }
}
