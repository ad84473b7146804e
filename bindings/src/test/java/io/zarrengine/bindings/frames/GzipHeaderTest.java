package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests handmade headers after RFC 1952. */
final class GzipHeaderTest {
    private static final String EXTRA = "0300 000102";
    private static final String NAME = "6e616d6500";
    private static final String COMMENT = "00";

    /** Catches an optional field that is missed, or read where there is none. */
    @ParameterizedTest
    @CsvSource({
        "00, '', 10",
        "01, '', 10", // FTEXT
        "02, ffff, 12",
        "04, " + EXTRA + ", 15",
        "08, " + NAME + ", 15",
        "10, " + COMMENT + ", 11",
        "1f, " + EXTRA + NAME + COMMENT + "ffff, 23",
    })
    void endsBehindItsFields(String flags, String fields, int bytes) {
        byte[] header = Hex.bytes("1f8b 08 " + flags + " 000000000003" + fields);
        assertEquals(bytes, header.length);
        byte[] member = Arrays.copyOf(header, 40);
        assertEquals(new GzipHeader(bytes, true, false), GzipHeader.read(Hex.stable(member)));
        for (int there = GzipHeader.BYTES_MIN; there < bytes; there++) {
            GzipHeader cut = GzipHeader.read(Hex.stable(Arrays.copyOf(header, there)));
            assertTrue(cut.bytes() > there, "cut to " + there);
        }
    }

    /** Catches another method, or flags without a meaning. */
    @ParameterizedTest
    @CsvSource({
        "08 00, true, false",
        "07 00, false, false",
        "09 00, false, false",
        "08 20, true, true",
        "08 40, true, true",
        "08 80, true, true",
    })
    void saysWhatIsNotKnown(String methodAndFlags, boolean isDeflate, boolean hasReservedFlag) {
        byte[] member = Hex.bytes("1f8b" + methodAndFlags + "000000000003");
        assertEquals(
                new GzipHeader(10, isDeflate, hasReservedFlag),
                GzipHeader.read(Hex.stable(member)));
    }

    /** Catches other bytes taken for a member. */
    @Test
    void onlyTheMagicNumberBeginsAMember() {
        byte[] member = Hex.bytes("1f8b 08 00 000000000003");
        assertTrue(GzipHeader.isAtFrontOf(Hex.stable(member)));
        assertFalse(GzipHeader.isAtFrontOf(Hex.stable(Arrays.copyOf(member, 9))));
        assertFalse(GzipHeader.isAtFrontOf(Hex.stable()));
        for (int bit = 0; bit < 16; bit++) {
            byte[] other = member.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            assertFalse(GzipHeader.isAtFrontOf(Hex.stable(other)), "bit " + bit);
        }
    }

    /** Catches a signed size. */
    @Test
    void theContentMayBeLargerThan2Gib() {
        assertEquals(0xfffefdfcL, GzipHeader.contentBytes(Hex.stable(Hex.bytes("00fcfdfeff"))));
    }
}
