package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests handmade headers after RFC 8878. */
final class ZstdHeaderTest {
    /** Catches a wrong size or position of a field, for all combinations of flags. */
    @ParameterizedTest
    @CsvSource({
        "28b52ffd 00 58, 2097152, -1, 6",
        "28b52ffd 20 07, 7, 7, 6",
        "28b52ffd 40 05 0100, 1664, 257, 8",
        "28b52ffd 60 ffff, 65791, 65791, 7",
        "28b52ffd 80 a9 01020304, 2415919104, 67305985, 10",
        "28b52ffd a3 aaaaaaaa 01000000, 1, 1, 13",
        "28b52ffd c1 ff aa 0000000001000000, 4123168604160, 4294967296, 15",
        "28b52ffd e2 aaaa 0700000000000000, 7, 7, 15",
    })
    void readsEveryKindOfHeader(String hex, long windowBytes, long contentBytes, int headerBytes) {
        ZstdHeader header = read(bytes(hex, 30));
        assertEquals(windowBytes, header.windowBytes());
        assertEquals(contentBytes, header.contentBytes());
        assertEquals(headerBytes, header.bytes());
        assertEquals(0, header.checksumBytes());
        assertFalse(header.hasReservedBit());
    }

    /** Catches a wrong bit: a GPU would then get frames that it cannot decode. */
    @ParameterizedTest
    @CsvSource({
        // descriptor; window, checksum, dictionary, reserved bit
        "00, true, 0, false, false",
        "20, false, 0, false, false",
        "04, true, 4, false, false",
        "01, true, 0, true, false",
        "02, true, 0, true, false",
        "03, true, 0, true, false",
        "08, true, 0, false, true",
        "10, true, 0, false, false", // Unused_bit
        "c0, true, 0, false, false",
        "ff, false, 4, true, true",
    })
    void everyFlagHasItsBit(
            String descriptor,
            boolean hasWindow,
            int checksumBytes,
            boolean hasDictionary,
            boolean hasReservedBit) {
        ZstdHeader header = read(bytes("28b52ffd " + descriptor, 18));
        assertEquals(hasWindow, header.hasWindow());
        assertEquals(checksumBytes, header.checksumBytes());
        assertEquals(hasDictionary, header.hasDictionary());
        assertEquals(hasReservedBit, header.hasReservedBit());
    }

    /** Catches a size read after the frame, or from the bytes that are left. */
    @Test
    void aHeaderThatIsCutDoesNotSayItsContent() {
        for (String descriptor : new String[] {"20", "40", "60", "80", "a3", "c0", "c3", "e3"}) {
            byte[] whole = bytes("28b52ffd " + descriptor, ZstdHeader.BYTES_MAX);
            int headerBytes = read(whole).bytes();
            for (int there = ZstdHeader.BYTES_MIN; there < whole.length; there++) {
                ZstdHeader cut = read(Arrays.copyOf(whole, there));
                assertEquals(headerBytes, cut.bytes());
                assertEquals(there < headerBytes, cut.contentBytes() == -1, descriptor);
            }
        }
    }

    /** Catches wrong sizes, with which a reader would read too little. */
    @Test
    void theSizesAreThoseOfTheShortestAndTheLongest() {
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        for (int descriptor = 0; descriptor < 256; descriptor++) {
            byte[] frame = bytes("28b52ffd", 18);
            frame[4] = (byte) descriptor;
            shortest = Math.min(shortest, read(frame).bytes());
            longest = Math.max(longest, read(frame).bytes());
        }
        assertEquals(ZstdHeader.BYTES_MIN, shortest);
        assertEquals(ZstdHeader.BYTES_MAX, longest);
    }

    /** Catches other bytes taken for a frame. */
    @Test
    void onlyTheMagicNumberBeginsAFrame() {
        assertTrue(isFrame("28b52ffd 20 07"));
        assertFalse(isFrame("502a4d18 00000000"), "a skippable frame");
        assertFalse(isFrame("27b52ffd 20 07"), "zstd before 0.8");
        assertFalse(isFrame("28b52ffc 20 07"));
    }

    private static boolean isFrame(String hex) {
        return ZstdHeader.isAtFrontOf(new MappedBytes(MemorySegment.ofArray(bytes(hex, 8))));
    }

    private static ZstdHeader read(byte... frame) {
        return ZstdHeader.read(new MappedBytes(MemorySegment.ofArray(frame)));
    }

    private static byte[] bytes(String hex, int length) {
        return Arrays.copyOf(HexFormat.of().parseHex(hex.replace(" ", "")), length);
    }
}
