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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checksums of numcodecs, as numcodecs 0.16.6 made them. */
final class Checksum32Test {
    private static final JenkinsLookup3Codec PREFIXED =
            new JenkinsLookup3Codec(7, List.of((byte) 1, (byte) 2, (byte) 3));

    /** The contract of every codec, with the checksum before the bytes. */
    @Nested
    final class AtStart implements BytesCodecContract {
        @Override
        public BytesCodec codec() {
            return new Adler32Codec(true);
        }
    }

    /** The contract of every codec, with the checksum after the bytes. */
    @Nested
    final class AtEnd implements BytesCodecContract {
        @Override
        public BytesCodec codec() {
            return PREFIXED;
        }
    }

    static List<Checksum32> codecs() {
        return List.of(
                new Crc32cCodec(true),
                new Crc32Codec(true),
                new Crc32Codec(false),
                new Adler32Codec(true),
                new Adler32Codec(false),
                new Fletcher32Codec(),
                new JenkinsLookup3Codec(0, List.of()),
                PREFIXED);
    }

    /** Returns a sample in which byte i is {@code (7 * i + i // 3) & 255}. */
    private static byte[] sample(int bytes) {
        byte[] sample = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            sample[i] = (byte) (7 * i + i / 3);
        }
        return sample;
    }

    /** Values are those that numcodecs stores; its fletcher32 cannot encode zero bytes. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            textBlock =
                    """
                    # bytes, crc32, adler32, fletcher32, lookup3, from 1234, from 7 with prefix
                    0, 00000000, 01000000, -, efbeadde, c1c3adde, 8c1eccd5
                    1, 8def02d2, 01000100, 00000000, 4b41a98b, 4e3d6dfb, e8c43cc5
                    2, 5c87bddf, 08000900, 07000700, eaf9dbb0, 985a23de, bea75055
                    3, d262b857, 16001f00, 070e0e0e, 761be4f1, 478905cd, bf4071ac
                    4, 46515c4e, 2c004b00, 1d0e240e, 16f898d6, 97a219cd, f35861dd
                    11, 3ad26563, 91014506, b6da46fd, 0235056d, 7efdb9aa, af44526e
                    12, 1902067f, e1012608, 06db96fd, 58103a4b, 301272de, 7f4822ee
                    13, 8998a6d3, 39025f0a, 07339e30, ce402c98, 8571181e, 711b6d66
                    16, f216c569, 6c036113, d499d1ca, beaad76a, fafb10f6, 014f1470
                    17, 183cb7a1, e1034217, d50ea6d9, 58b49752, 8ac76da1, 7c332489
                    """)
    void equalThoseOfNumcodecs(
            int bytes,
            String crc32,
            String adler32,
            String fletcher32,
            String lookup3,
            String from1234,
            String prefixed)
            throws CodecException {
        assertEncoded(crc32, new Crc32Codec(true), bytes);
        assertEncoded(crc32, new Crc32Codec(false), bytes);
        assertEncoded(adler32, new Adler32Codec(true), bytes);
        assertEncoded(adler32, new Adler32Codec(false), bytes);
        assertEncoded(lookup3, new JenkinsLookup3Codec(0, List.of()), bytes);
        assertEncoded(from1234, new JenkinsLookup3Codec(1234, List.of()), bytes);
        assertEncoded(prefixed, PREFIXED, bytes);
        if (fletcher32 != null) {
            assertEncoded(fletcher32, new Fletcher32Codec(), bytes);
        }
    }

    private static void assertEncoded(String checksum, Checksum32 codec, int bytes)
            throws CodecException {
        String payload = HexFormat.of().formatHex(sample(bytes));
        String encoded = codec.atStart() ? checksum + payload : payload + checksum;
        byte[] target = new byte[bytes + 4];
        codec.encode(MemorySegment.ofArray(sample(bytes)), MemorySegment.ofArray(target), null);
        assertEquals(encoded, HexFormat.of().formatHex(target), codec::toString);
        MemorySegment decoded = codec.verify(MemorySegment.ofArray(target));
        assertArrayEquals(sample(bytes), decoded.toArray(JAVA_BYTE));
    }

    /** Values of drive 5 of the author's own test program, and of a test of numcodecs. */
    @ParameterizedTest
    @CsvSource({
        "'', 0, deadbeef",
        "'', 3735928559, bd5b7dde",
        "Four score and seven years ago, 0, 17770551",
        "Four score and seven years ago, 1, cd628161",
    })
    void lookup3IsTheOneOfItsAuthor(String text, long initialValue, String hash) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        int actual =
                new JenkinsLookup3Codec((int) initialValue, List.of())
                        .checksum(MemorySegment.ofArray(bytes));
        assertEquals(hash, HexFormat.of().toHexDigits(actual));
    }

    /** 65535 stands for 0, unless every word is 0. */
    @Test
    void computesFletcher32InOnesComplement() {
        assertEquals(0, fletcher32(new byte[8]));
        byte[] ones = new byte[8];
        Arrays.fill(ones, (byte) -1);
        assertEquals(-1, fletcher32(ones));
        byte[] large = new byte[1000 + 9 * 256]; // numcodecs stores 3dc2a47c.
        Arrays.fill(large, 0, 1000, (byte) -1);
        for (int i = 0; i < 9 * 256; i++) {
            large[1000 + i] = (byte) i;
        }
        assertEquals(0x7ca4c23d, fletcher32(large));
    }

    /** The sums are not reduced at each step. */
    @ParameterizedTest
    @ValueSource(ints = {(1 << 18) - 1, 1 << 18, (1 << 18) + 1, (1 << 19) + 3, 1_000_000})
    void fletcher32OfLongBytesIsThatOfASlowOne(int bytes) {
        byte[] sample = new byte[bytes];
        Arrays.fill(sample, (byte) -2); // the largest sums, except those that are 0
        long sum = 0;
        long sumOfSums = 0;
        for (int i = 0; i < bytes; i += 2) {
            int low = i + 1 < bytes ? Byte.toUnsignedInt(sample[i + 1]) : 0;
            sum = (sum + 256L * Byte.toUnsignedInt(sample[i]) + low) % 65535;
            sumOfSums = (sumOfSums + sum) % 65535;
        }
        long expected = (sumOfSums == 0 ? 65535 : sumOfSums) << 16 | (sum == 0 ? 65535 : sum);
        assertEquals((int) expected, fletcher32(sample));
    }

    private static int fletcher32(byte... bytes) {
        return new Fletcher32Codec().checksum(MemorySegment.ofArray(bytes));
    }

    @Test
    void findsEveryFlippedBit() {
        for (Checksum32 codec : codecs()) {
            MemorySegment encoded = MemorySegment.ofArray(new byte[21]);
            codec.encode(MemorySegment.ofArray(sample(17)), encoded, null);
            for (int bit = 0; bit < 8 * 21; bit++) {
                byte before = encoded.get(JAVA_BYTE, bit / 8);
                encoded.set(JAVA_BYTE, bit / 8, (byte) (before ^ 1 << (bit % 8)));
                assertThrows(CodecException.class, () -> codec.verify(encoded), codec::toString);
                encoded.set(JAVA_BYTE, bit / 8, before);
            }
        }
    }

    /** For users who trust their disks. */
    @Test
    void stripsTheChecksumWithoutComparingIt() throws CodecException {
        for (Checksum32 codec : codecs()) {
            MemorySegment encoded = MemorySegment.ofArray(new byte[21]);
            codec.encode(MemorySegment.ofArray(sample(17)), encoded, null);
            encoded.asSlice(codec.atStart() ? 0 : 17, 4).fill((byte) 0x5a);
            assertArrayEquals(sample(17), codec.strip(encoded).toArray(JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void refuseWhatHasNoRoomForAChecksum(int bytes) {
        MemorySegment encoded = MemorySegment.ofArray(new byte[bytes]);
        for (Checksum32 codec : codecs()) {
            CodecException e = assertThrows(CodecException.class, () -> codec.verify(encoded));
            assertEquals(
                    codec.name() + ": " + bytes + " bytes are too few for a checksum",
                    e.getMessage());
        }
    }
}
