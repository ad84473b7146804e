package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The length at the beginning of raw Snappy.
 *
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy, format
 *     description</a>
 */
final class SnappyBlock {
    private static final int LENGTH_BYTES_MAX = 5; // a varint of 32 bits
    private static final long RATIO_MAX = 64; // a copy of 64 bytes takes at least 2

    private SnappyBlock() {}

    static Optional<String> refusal(MemorySegment block, long decodedBytes) {
        long length = 0;
        int at = 0;
        int next;
        do {
            if (at == block.byteSize() || at == LENGTH_BYTES_MAX) {
                return Optional.of("the length is cut off");
            }
            next = block.get(JAVA_BYTE, at);
            length |= (next & 0x7fL) << (7 * at++);
        } while (next < 0);
        if (length != decodedBytes) {
            return Optional.of(length + " decoded bytes, expected " + decodedBytes);
        }
        long bodyBytes = block.byteSize() - at;
        return decodedBytes / RATIO_MAX > bodyBytes
                ? Optional.of(bodyBytes + " bytes cannot hold " + decodedBytes)
                : Optional.empty();
    }
}
