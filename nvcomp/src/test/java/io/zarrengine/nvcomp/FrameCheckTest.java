package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of other implementations pass. Truncated, damaged and unsupported frames do not. */
final class FrameCheckTest {
    private static final Set<NvcompFormat> NVIDIAS_OWN =
            EnumSet.of(NvcompFormat.GDEFLATE, NvcompFormat.BITCOMP, NvcompFormat.CASCADED);
    private static final int[] SIZES = {1, 2, 15, 16, 255, 256, 257, 4096, 65_536, 300_000};

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void soundFramesPass(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int bytes : SIZES) {
            byte[] chunk = Samples.chunk(random, bytes);
            for (NvcompFormat format : checkable()) {
                byte[] encoded = Samples.encoded(format, chunk);
                assertEquals(
                        Optional.empty(), refusal(format, encoded, bytes), format + " " + bytes);
            }
        }
    }

    /** A chunk that decodes to another size would be written past its target, or leave a gap. */
    @ParameterizedTest
    @EnumSource(
            value = NvcompFormat.class,
            names = {"ZSTD", "SNAPPY", "GZIP"})
    void anotherSizeIsRefused(NvcompFormat format) {
        byte[] encoded = Samples.encoded(format, new byte[1000]);
        assertTrue(refusal(format, encoded, 999).isPresent());
        assertTrue(refusal(format, encoded, 1001).isPresent());
        assertTrue(refusal(format, encoded, 0).isPresent());
        assertTrue(refusal(format, encoded, -1).isPresent());
    }

    /** The walk over blocks or elements detects every truncation. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void aZstdFrameOfAnotherLengthIsRefused(long seed) {
        aFrameOfAnotherLengthIsRefused(NvcompFormat.ZSTD, seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void aSnappyBlockOfAnotherLengthIsRefused(long seed) {
        aFrameOfAnotherLengthIsRefused(NvcompFormat.SNAPPY, seed);
    }

    /** Handwritten elements: each kind of copy, long literals, and elements that do not fit. */
    @Test
    void snappyElementsMustFit() {
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("04 0c 61 62 63 64"), 4).isEmpty());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 01 01"), 5).isEmpty());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 0e 01 00"), 5).isEmpty());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 0f 01 00 00 00"), 5).isEmpty());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("01 f0 00 61"), 1).isEmpty());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 01 02"), 5).isPresent(), "before");
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 01 00"), 5).isPresent(), "itself");
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("04 00 61 01 01"), 4).isPresent(), "long");
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("06 00 61 01 01"), 6).isPresent(), "short");
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 00 61 0e 01"), 5).isPresent(), "cut");
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("05 f0"), 5).isPresent(), "cut length");
    }

    private static void aFrameOfAnotherLengthIsRefused(NvcompFormat format, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] chunk = Samples.chunk(random, 300_000);
        byte[] frame = Samples.encoded(format, chunk);
        for (int round = 0; round < 300; round++) {
            int length = round < 30 ? round : random.nextInt(frame.length);
            byte[] cut = Arrays.copyOf(frame, length);
            assertTrue(refusal(format, cut, chunk.length).isPresent(), length + "");
        }
        byte[] longer = Arrays.copyOf(frame, frame.length + 1);
        assertTrue(refusal(format, longer, chunk.length).isPresent());
    }

    /** Damage in entropy-coded bytes may pass, but nothing is read past the end. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void damagedBytesNeverThrow(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (NvcompFormat format : NvcompFormat.values()) {
            for (int round = 0; round < 1000; round++) {
                byte[] encoded = new byte[random.nextInt(40)];
                random.nextBytes(encoded);
                if (checkable(format) && round % 2 == 0) {
                    encoded = Samples.encoded(format, new byte[1 + random.nextInt(300)]);
                    encoded[random.nextInt(encoded.length)] ^= (byte) (1 << random.nextInt(8));
                    encoded = Arrays.copyOf(encoded, random.nextInt(encoded.length + 1));
                }
                assertNotNull(refusal(format, encoded, random.nextInt(600)));
            }
        }
    }

    /** Handwritten frames: magic, descriptor, content size or window, blocks. */
    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "28B52FFD 20 05 290000 0102030405, a raw block",
        "28B52FFD 20 05 2B0000 07, a block of one byte five times",
        "28B52FFD 20 05 100000 0102 190000 030405, two blocks",
        "28B52FFD 24 05 290000 0102030405 11223344, with a checksum",
        "28B52FFD 80 50 05000000 290000 0102030405, with a window of 1 MiB",
        "28B52FFD E0 0500000000000000 290000 0102030405, a size of 8 bytes",
    })
    void soundFramesByHand(String hex, String what) {
        assertEquals(Optional.empty(), refusal(NvcompFormat.ZSTD, bytes(hex), 5), what);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "29B52FFD 20 05 290000 0102030405, no zstd frame",
        "502A4D18 04000000 01020304 28B52FFD 20 05 2B0000 07, skippable",
        "28B52FFD 28 05 290000 0102030405, a reserved bit",
        "28B52FFD 21 09 05 290000 0102030405, a dictionary",
        "28B52FFD 00 50 290000 0102030405, does not say",
        "28B52FFD 80 70 05000000 290000 0102030405, a window of 16777216",
        "28B52FFD 20 05 2F0000 0102030405, a block of type 3",
        "28B52FFD 20 05 0D0000 01, a block of type 2 and 1 bytes",
        "28B52FFD 20 05 310000 010203040506, a block of 6",
        "28B52FFD 20 05 280000 0102030405, the last block is missing",
        "28B52FFD 20 05 210000 01020304, cannot hold",
        "28B52FFD 24 05 290000 0102030405, the last block ends 0",
        "28B52FFD 20 05 290000 0102030405 28B52FFD 20 05 2B0000 07, the last block ends 10",
        "28B52FFD E0 05, the header is cut off",
        "28B52FFD, a frame of 4",
    })
    void whatNvcompMustNotSee(String hex, String reason) {
        String refusal = refusal(NvcompFormat.ZSTD, bytes(hex), 5).orElse("passed");
        assertTrue(refusal.contains(reason), refusal);
    }

    /**
     * Handwritten compressed blocks, each the only one of a frame of 20 bytes: literals, then
     * sequences. With such literals headers nvCOMP 5.1 reads out of bounds, and the device is lost.
     */
    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "F8 01 00, 31 literals in",
        "5280, 5 literals in 2",
        "10 AABB, 2 literals in 2",
        "538000 0102 00, literals without a tree",
        "528000 1001 00, a tree of 17 bytes",
        "52C000 000101 00, a tree of 1 bytes",
        "02C000 801101 00, 0 literals in 1",
        "528002 8011 0102030405060708 00, 5 literals in 8",
        "86C002 8011 010001000100 010101 00, 2 literals in 0",
        "86C002 8011 010001000000 010101 00, 2 literals in 0",
        "86C002 8011 040001000100 01010101 00, 2 literals in 4",
    })
    void literalsThatNvcompMustNotSee(String hex, String reason) {
        String refusal = refusal(NvcompFormat.ZSTD, frameOf20(hex), 20).orElse("passed");
        assertTrue(refusal.contains(reason), refusal);
    }

    /** The codes of these streams are not checked. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10AABB 06 00 80",
                "52C000 8011 01 05 00 80",
                "860003 8011 010001000100 01010101 01 04 00 80",
                "88 0102030405060708090A0B0C0D0E0F1011 00",
            })
    void literalsThatNvcompMaySee(String hex) {
        assertEquals(Optional.empty(), refusal(NvcompFormat.ZSTD, frameOf20(hex), 20));
    }

    /** A later block may reuse the tree of the first one. */
    @Test
    void aTreeIsUsedAgainByLaterBlocks() {
        String first = "52C000 8011 01 01 00 80"; // 5 literals with a tree, a sequence
        String second = "534000 01 01 FC 80"; // the same with the tree of the first block
        String frame = "28B52FFD 20 14" + block(first, false) + block(second, true);
        assertEquals(Optional.empty(), refusal(NvcompFormat.ZSTD, bytes(frame), 20));
        String turned = "28B52FFD 20 14" + block(second, false) + block(first, true);
        assertTrue(refusal(NvcompFormat.ZSTD, bytes(turned), 20).isPresent());
    }

    private static byte[] frameOf20(String content) {
        return bytes("28B52FFD 20 14" + block(content, true));
    }

    private static String block(String content, boolean isLast) {
        int header = bytes(content).length << 3 | 2 << 1 | (isLast ? 1 : 0);
        return " %02X%02X%02X %s".formatted(header & 0xFF, header >> 8 & 0xFF, 0, content);
    }

    /** Otherwise the checksum would be ignored, because nvCOMP compares none. */
    @Test
    void aChecksumThatIsToBeComparedIsTheCpus() {
        byte[] with = bytes("28B52FFD 24 05 290000 0102030405 11223344");
        byte[] without = bytes("28B52FFD 20 05 290000 0102030405");
        assertEquals(Optional.of("a checksum"), refusal(NvcompFormat.ZSTD, with, 5, true));
        assertEquals(Optional.empty(), refusal(NvcompFormat.ZSTD, without, 5, true));
        byte[] member = Samples.gzipped(new byte[1000]);
        assertEquals(Optional.of("a checksum"), refusal(NvcompFormat.GZIP, member, 1000, true));
    }

    @Test
    void gzipMembersWithEveryFieldPass() {
        byte[] plain = Samples.gzipped(new byte[1000]);
        byte[] header =
                bytes("1F8B08 1E 00000000 0003 0400 01020304 6E616D6500 636F6D6D656E7400 FFFF");
        byte[] member = Arrays.copyOf(header, header.length + plain.length - 10);
        System.arraycopy(plain, 10, member, header.length, plain.length - 10);
        assertEquals(Optional.empty(), refusal(NvcompFormat.GZIP, member, 1000));
        for (int length = 0; length < member.length; length++) {
            byte[] cut = Arrays.copyOf(member, length);
            assertTrue(refusal(NvcompFormat.GZIP, cut, 1000).isPresent(), length + "");
        }
    }

    @Test
    void aStoredBlockIsMeasured() {
        byte[] stored = bytes("01 0500 FAFF 0102030405");
        assertEquals(Optional.empty(), refusal(NvcompFormat.DEFLATE, stored, 5));
        assertTrue(refusal(NvcompFormat.DEFLATE, stored, 4).isPresent());
        assertTrue(refusal(NvcompFormat.DEFLATE, Arrays.copyOf(stored, 9), 5).isPresent());
        assertTrue(refusal(NvcompFormat.DEFLATE, bytes("01 0500 FAFE 0102030405"), 5).isPresent());
        assertTrue(refusal(NvcompFormat.DEFLATE, bytes("07 0500"), 5).isPresent());
    }

    @Test
    void fewBytesCannotHoldMany() {
        assertTrue(refusal(NvcompFormat.LZ4, new byte[10], 3000).isPresent());
        assertTrue(refusal(NvcompFormat.SNAPPY, bytes("80 10 00 00"), 2048).isPresent());
        assertTrue(refusal(NvcompFormat.DEFLATE, bytes("03 00"), 1 << 20).isPresent());
    }

    @Test
    void whatHasNoPublishedFormatIsRefused() {
        assertTrue(refusal(NvcompFormat.BITCOMP, new byte[100], 100).isPresent());
    }

    @Test
    void aZlibStreamHasABody() {
        byte[] chunk = new byte[1000];
        MemorySegment body =
                FrameCheck.zlibBody(MemorySegment.ofArray(Samples.deflated(chunk, false)))
                        .orElseThrow();
        assertArrayEquals(Samples.deflated(chunk, true), body.toArray(ValueLayout.JAVA_BYTE));
        for (String hex :
                new String[] {"789D 0300 00000001", "7820 0300 00000001", "789C 00000001"}) {
            assertEquals(
                    Optional.empty(), FrameCheck.zlibBody(MemorySegment.ofArray(bytes(hex))), hex);
        }
    }

    private static NvcompFormat[] checkable() {
        return Arrays.stream(NvcompFormat.values())
                .filter(FrameCheckTest::checkable)
                .toArray(NvcompFormat[]::new);
    }

    private static boolean checkable(NvcompFormat format) {
        return !NVIDIAS_OWN.contains(format);
    }

    private static Optional<String> refusal(
            NvcompFormat format, byte[] encoded, long decodedBytes) {
        return refusal(format, encoded, decodedBytes, false);
    }

    private static Optional<String> refusal(
            NvcompFormat format, byte[] encoded, long decodedBytes, boolean comparesChecksums) {
        return FrameCheck.refusal(
                format, MemorySegment.ofArray(encoded), decodedBytes, comparesChecksums);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
