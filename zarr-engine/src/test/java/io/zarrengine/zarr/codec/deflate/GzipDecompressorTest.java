package io.zarrengine.zarr.codec.deflate;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertRefused;
import static io.zarrengine.zarr.codec.DecompressorTests.concatenated;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.codec.DecompressorTests;
import io.zarrengine.zarr.codec.Samples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Gzip streams of any valid encoder. */
final class GzipDecompressorTest {
    private static final int HEADER_BYTES = 10;

    private final GzipDecompressor decompressor = new GzipDecompressor(true);

    @AfterEach
    void close() {
        decompressor.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesSeveralMembers(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            byte[][] samples = new byte[1 + random.nextInt(4)][];
            byte[][] members = new byte[samples.length][];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = Samples.random(random, random.nextInt(2) * random.nextInt(3000));
                members[i] = withFlags(random.nextInt(32), member(samples[i]));
            }
            assertDecodes(concatenated(samples), decompressor, concatenated(members));
        }
    }

    /** Text, header checksum, extra field, name and comment, in every combination. */
    @Test
    void skipsAllOptionalFields() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(0), 300);
        for (int flags = 0; flags < 32; flags++) {
            byte[] member = withFlags(flags, member(sample));
            assertDecodes(sample, decompressor, member);
            DecompressorTests.assertRefusesEveryTruncation(sample, decompressor, member);
        }
    }

    @Test
    void skipsTheLongestExtraField() throws Exception {
        byte[] sample = {1, 2, 3};
        byte[] member = member(sample);
        byte[] extra = new byte[2 + 65535];
        extra[0] = extra[1] = (byte) 0xff;
        byte[] header = Arrays.copyOf(member, HEADER_BYTES);
        header[3] = 4; // FEXTRA
        byte[] rest = Arrays.copyOfRange(member, HEADER_BYTES, member.length);
        assertDecodes(sample, decompressor, concatenated(header, extra, rest));
        byte[] cut = concatenated(header, Arrays.copyOf(extra, extra.length - 1));
        assertRefused("ends inside its header", decompressor, cut, 3);
    }

    @Test
    void findsEveryFlippedBit() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(2), 500);
        byte[] member = withFlags(31, member(sample));
        DecompressorTests.assertFindsEveryFlippedBit(sample, decompressor, member);
    }

    @Test
    void refusesEveryTruncationOfTheSecondMember() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(3), 100);
        byte[] member = member(sample);
        byte[] both = concatenated(member, member);
        for (int bytes = member.length + 1; bytes < both.length; bytes++) {
            assertRefused("gzip: ", decompressor, Arrays.copyOf(both, bytes), 200);
        }
        assertArrayEquals(sample, DecompressorTests.decode(decompressor, member, 200));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1e, has no gzip header", "1, 8c, has no gzip header",
        "2, 07, has an unknown method or flag", "3, 20, has an unknown method or flag",
        "3, 80, has an unknown method or flag",
    })
    void refusesAHeaderThatIsNone(int at, String value, String problem) throws Exception {
        byte[] member = member(new byte[100]);
        member[at] = (byte) Integer.parseInt(value, 16);
        assertRefused(problem, decompressor, member, 100);
    }

    @Test
    void refusesATrailerThatDoesNotFit() throws Exception {
        byte[] member = member(new byte[100]);
        byte[] checksum = member.clone();
        checksum[member.length - 8] ^= 1;
        assertRefused("CRC-32 does not match", decompressor, checksum, 100);
        byte[] length = member.clone();
        length[member.length - 1] ^= 1;
        assertRefused("length does not match", decompressor, length, 100);
    }

    /** gzip and Python's module skip them. */
    @Test
    void skipsZerosAfterAMember() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(5), 100);
        byte[] member = member(sample);
        for (int zeros : new int[] {1, 9, 10, 20}) {
            byte[] padded = concatenated(member, new byte[zeros]);
            assertDecodes(sample, decompressor, padded);
            assertDecodes(concatenated(sample, sample), decompressor, concatenated(padded, padded));
        }
    }

    @Test
    void refusesOtherBytesAfterTheLastMember() throws Exception {
        byte[] member = member(new byte[100]);
        for (byte[] junk : new byte[][] {{1}, {0, 1}, {0x1f}, new byte[] {0x1f, (byte) 0x8b}}) {
            int zeros = junk[0] == 0 ? 1 : 0;
            String problem =
                    "is followed by "
                            + (junk.length - zeros)
                            + " bytes from byte "
                            + (member.length + zeros)
                            + " on, which are no other gzip stream";
            assertRefused(problem, decompressor, concatenated(member, junk), 100);
        }
        assertRefused("has no gzip header", decompressor, new byte[0], 100);
    }

    @Test
    void refusesMoreThanTheTargetHolds() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(4), 1000);
        byte[] member = member(sample);
        assertRefused("decodes to more than 999 bytes", decompressor, member, 999);
        assertRefused("decodes to more than 0 bytes", decompressor, member, 0);
        byte[] both = concatenated(member, member);
        assertRefused("decodes to more than 500 bytes", decompressor, both, 1500);
        assertArrayEquals(sample, DecompressorTests.decode(decompressor, member, 5000));
        assertDecodes(new byte[0], decompressor, member(new byte[0]));
    }

    private static byte[] member(byte[] sample) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(sample);
        }
        return bytes.toByteArray();
    }

    /** Sets flags, and adds the fields that the flags announce: RFC 1952, section 2.3. */
    private static byte[] withFlags(int flags, byte[] member) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(member, 0, 3);
        bytes.write(flags);
        bytes.write(member, 4, HEADER_BYTES - 4);
        if ((flags & 4) != 0) { // FEXTRA
            bytes.writeBytes(new byte[] {5, 0, 'A', 'P', 1, 0, 0});
        }
        if ((flags & 8) != 0) { // FNAME
            bytes.writeBytes("chunk\0".getBytes(StandardCharsets.US_ASCII));
        }
        if ((flags & 16) != 0) { // FCOMMENT
            bytes.writeBytes("\0".getBytes(StandardCharsets.US_ASCII));
        }
        if ((flags & 2) != 0) { // FHCRC
            bytes.writeBytes(new byte[] {1, 2});
        }
        bytes.write(member, HEADER_BYTES, member.length - HEADER_BYTES);
        return bytes.toByteArray();
    }
}
