package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests handmade headers of zlib, lz4 and snappy. */
final class SmallHeadersTest {
    /** Catches a stream with a wrong method, window or check bits, or with a dictionary. */
    @ParameterizedTest
    @CsvSource({
        "789c, true, false", "7801, true, false", "0804, false, false", "081d, true, false",
        "789d, false, false", "7918, false, false", "881c, false, false", "78bb, true, true",
        "78ba, false, true",
    })
    void aZlibStreamIsDeflateWithAWindow(String hex, boolean isDeflate, boolean hasDictionary) {
        assertEquals(
                new ZlibHeader(isDeflate, hasDictionary),
                ZlibHeader.read(Hex.stable(Hex.bytes(hex))));
    }

    /** Catches a signed size, or one read from other bytes. */
    @Test
    void anLz4BlockFollowsItsSize() {
        assertEquals(0xfffefdfcL, Lz4Header.contentBytes(Hex.stable(Hex.bytes("fcfdfeff 00"))));
    }

    /** Catches a size that is truncated, or does not end. */
    @ParameterizedTest
    @CsvSource({
        "'', -1", "80, -1", "ffffffff, -1", "8080808080, -1", "808080808000, -1",
        "00, 0", "7f, 127", "8001, 128", "ffff03, 65535", "ffffffff0f, 4294967295",
    })
    void aSnappySizeHasFiveBytesAtMost(String hex, long contentBytes) {
        SnappyHeader header = SnappyHeader.read(Hex.stable(Hex.bytes(hex)));
        assertEquals(contentBytes, header.contentBytes());
        if (contentBytes >= 0) {
            assertEquals(hex.length() / 2, header.bytes());
        }
    }
}
