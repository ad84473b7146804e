package io.zarrengine.zarr.codec.checksum;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The crc32c codec. */
final class Crc32cCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new Crc32cCodec();
    }

    /** RFC 3720, section B.4, and the check value of CRC catalogues; stored little-endian. */
    @Test
    void isTheChecksumOfTheStandard() throws CodecException {
        assertChecksum("839206e3", "313233343536373839");
        assertChecksum("aa36918a", "00".repeat(32));
        assertChecksum("43aba862", "ff".repeat(32));
        assertChecksum("00000000", "");
    }

    private static void assertChecksum(String checksum, String bytes) throws CodecException {
        byte[] encoded = HexFormat.of().parseHex(bytes + checksum);
        MemorySegment decoded = new Crc32cCodec().verify(MemorySegment.ofArray(encoded));
        assertEquals(bytes, HexFormat.of().formatHex(decoded.toArray(JAVA_BYTE)));
    }

    @Test
    void refusesEveryFlippedBit() {
        byte[] text = "123456789".getBytes(StandardCharsets.US_ASCII);
        MemorySegment encoded = MemorySegment.ofArray(new byte[13]);
        new Crc32cCodec().encode(MemorySegment.ofArray(text), encoded, null);
        for (int bit = 0; bit < 8 * 13; bit++) {
            byte before = encoded.get(JAVA_BYTE, bit / 8);
            encoded.set(JAVA_BYTE, bit / 8, (byte) (before ^ 1 << (bit % 8)));
            assertThrows(CodecException.class, () -> new Crc32cCodec().verify(encoded));
            encoded.set(JAVA_BYTE, bit / 8, before);
        }
        assertArrayEquals(text, encoded.asSlice(0, 9).toArray(JAVA_BYTE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void refusesWhatHasNoRoomForAChecksum(int bytes) {
        CodecException e =
                assertThrows(
                        CodecException.class,
                        () -> new Crc32cCodec().verify(MemorySegment.ofArray(new byte[bytes])));
        assertEquals("crc32c: " + bytes + " bytes are too few for a checksum", e.getMessage());
    }
}
