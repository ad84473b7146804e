package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests handmade headers of blocks after RFC 8878. */
final class ZstdBlockTest {
    /**
     * Catches a wrong bit or size of a field, with which a walk over blocks gets lost or stops
     * early.
     */
    @ParameterizedTest
    @CsvSource({
        // header; last, type, size, end after two bytes
        "000000, false, 0, 0, 5",
        "010000, true, 0, 0, 5",
        "290000, true, 0, 5, 10",
        "2b0000, true, 1, 5, 6", // a run takes one byte
        "02ffff, false, 1, 2097120, 6",
        "2c0000, false, 2, 5, 10",
        "0e0000, false, 3, 1, 6",
        "000010, false, 0, 131072, 131077",
        "f8ffff, false, 0, 2097151, 2097156",
    })
    void saysWhatFollows(String hex, boolean isLast, int type, int size, long end) {
        MappedBytes frame = bytes("ffff" + hex + "ff");
        assertEquals(new ZstdBlock(isLast, type, size, end), ZstdBlock.read(frame, 2));
    }

    /** Catches a truncated header whose missing part is taken for zeros. */
    @Test
    void aHeaderThatIsCutIsNotRead() {
        MappedBytes frame = bytes("0102030405");
        assertEquals(0x050403 >> 3, ZstdBlock.read(frame, 2).size());
        assertThrows(IndexOutOfBoundsException.class, () -> ZstdBlock.read(frame, 3));
    }

    private static MappedBytes bytes(String hex) {
        return new MappedBytes(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
    }
}
