package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Checks UTF-8 by the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
 *
 * @see <a href="https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506">The
 *     Unicode standard, table 3-7</a>
 */
final class Utf8 {
    /** The high bit of each byte, which ASCII leaves unset. */
    private static final long NOT_ASCII = 0x8080808080808080L;

    private Utf8() {}

    /**
     * {@return the position of the first byte that does not begin a character; {@code to} if there
     * is none}
     *
     * @param bytes the text
     * @param from its first byte
     * @param to its end, exclusive
     */
    static long validUntil(MemorySegment bytes, long from, long to) {
        long at = from;
        while (at < to) {
            if (to - at >= Long.BYTES && (bytes.get(JAVA_LONG_UNALIGNED, at) & NOT_ASCII) == 0) {
                at += Long.BYTES;
                continue;
            }
            int character = characterBytes(bytes, at, to);
            if (character == 0) {
                return at;
            }
            at += character;
        }
        return to;
    }

    /** Returns the size of the character at a position; 0 if there is none. */
    private static int characterBytes(MemorySegment bytes, long at, long to) {
        int first = byteAt(bytes, at);
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xc2 || first > 0xf4) {
            return 0;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (length > to - at) {
            return 0;
        }
        int second = byteAt(bytes, at + 1);
        int secondMin = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80; // no overlong forms
        int secondMax = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; // no surrogates
        boolean valid = second >= secondMin && second <= secondMax;
        for (int i = 2; i < length; i++) {
            valid &= (byteAt(bytes, at + i) & 0xc0) == 0x80;
        }
        return valid ? length : 0;
    }

    private static int byteAt(MemorySegment bytes, long at) {
        return Byte.toUnsignedInt(bytes.get(JAVA_BYTE, at));
    }
}
