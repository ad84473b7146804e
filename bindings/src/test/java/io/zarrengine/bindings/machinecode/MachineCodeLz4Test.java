package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.liblz4.Liblz4;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the LZ4 decoder on blocks by liblz4, handmade blocks, and damaged ones, for which its
 * output must equal liblz4's unless it refuses. Blocks and targets are next to inaccessible pages.
 */
final class MachineCodeLz4Test {
    private static final int BLOCKS = 40; // for each seed
    private static final long ALL = Long.MAX_VALUE; // bytes
    private static final int MATCH_MIN = 4;
    private static final int RATIOS = 9; // as in lz4.h

    /** Includes the lengths and offsets at which the code takes another branch. */
    private static final int[] EDGES = {
        1, 2, 3, 4, 5, 8, 15, 16, 17, 18, 19, 20, 31, 32, 33, 37, 50, 62, 63, 64, 65, 66, 67, 68,
        100, 127, 128, 129, 150, 151, 191, 192, 193, 255, 256, 269, 270, 271, 273, 274, 275, 400,
        525, 529, 784, 1000, 3000
    };

    private final Arena arena = Arena.ofConfined();
    private MachineCodeLz4 decoder;
    private GuardedPages blocks;
    private GuardedPages targets;

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeLz4.denial());
        decoder = new MachineCodeLz4();
        blocks = new GuardedPages(2 * Sample.BYTES_MAX, arena);
        targets = new GuardedPages(2 * Sample.BYTES_MAX, arena);
    }

    @AfterEach
    void close() {
        if (decoder != null) {
            decoder.close();
        }
        arena.close();
    }

    static LongStream seeds() {
        return MachineCodeZstdTest.seeds();
    }

    /** Otherwise the other tests might be skipped by mistake. */
    @Test
    void isThereOnProcessorsThatHaveWhatItNeeds() {
        ProcessorFlags.assertDecide(
                MachineCodeLz4.denial(),
                "bmi1",
                "bmi2",
                "avx512f",
                "avx512bw",
                "avx512vl",
                "avx512vbmi");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesWhatLiblz4Encodes(long seed) {
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "there is nothing that encodes");
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < BLOCKS; round++) {
            byte[] sample = Sample.any(random);
            assertDecodes(random, sample, compress(sample));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesSequencesOfAnyLengthAndOffset(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < BLOCKS; round++) {
            CraftedLz4 block = crafted(random, 1 + random.nextInt(100)).last(12);
            assertDecodes(random, block.decoded(), block.encoded());
        }
    }

    /** Decodes blocks whose matches are far away, and some with near ones. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesMatchesFromFarAway(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            CraftedLz4 block = far(random).last(12 + random.nextInt(100));
            assertDecodes(random, block.decoded(), block.encoded());
        }
    }

    private static CraftedLz4 far(SplittableRandom random) {
        CraftedLz4 block = new CraftedLz4(random).sequence(1500, 1, MATCH_MIN);
        for (int k = 0; k < 300; k++) {
            boolean isUsual = random.nextInt(25) > 0;
            int literals = isUsual ? random.nextInt(15) : edge(random);
            int offset = isUsual ? random.nextInt(100, 1500) : edge(random);
            int match = isUsual ? random.nextInt(4, 50) : 3 + edge(random);
            block.sequence(literals, Math.min(offset, 1500), match);
        }
        return block;
    }

    /** Edges come after 0 to 100 literals, so that matches repeat the first literals or others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 14, 31, 63, 64, 65, 100})
    void decodesEveryEdge(int literals) {
        SplittableRandom random = new SplittableRandom(literals);
        for (int offset : EDGES) {
            for (int match : EDGES) {
                CraftedLz4 block = new CraftedLz4(random).sequence(offset, 1, 4);
                for (int k = 0; k < 3; k++) {
                    block.sequence(literals, Math.min(offset, block.decodedBytes()), match + 3);
                }
                block.last(12);
                assertDecodes(random, block.decoded(), block.encoded());
            }
        }
    }

    private static CraftedLz4 crafted(SplittableRandom random, int sequences) {
        CraftedLz4 block = new CraftedLz4(random);
        block.sequence(1 + edge(random), 1, MATCH_MIN);
        for (int k = 1; k < sequences; k++) {
            int literals = random.nextInt(3) == 0 ? 0 : edge(random);
            int offset = random.nextBoolean() ? edge(random) : 1 + random.nextInt(60_000);
            block.sequence(literals, 1 + (offset - 1) % block.decodedBytes(), 3 + edge(random));
        }
        return block;
    }

    /** Returns a length, mostly a short one. */
    private static int edge(SplittableRandom random) {
        int bound = random.nextInt(4) == 0 ? EDGES.length : 20;
        return EDGES[random.nextInt(bound)];
    }

    /** Sets the decoder's memory: empty, one of the loops as the faster one, or earlier blocks. */
    private void remember(SplittableRandom random) {
        switch (random.nextInt(4)) {
            case 0 -> decoder.state().fill((byte) 0);
            case 1 -> remember(true);
            case 2 -> remember(false);
            default -> {}
        }
    }

    /** Makes one of the loops decode all blocks, until a block is decoded by both again. */
    private void remember(boolean isFar) {
        MemorySegment state = decoder.state();
        for (int ratio = 0; ratio < RATIOS; ratio++) {
            state.setAtIndex(JAVA_INT, ratio, 1);
            state.setAtIndex(JAVA_INT, RATIOS + (long) ratio, isFar ? 1 << 20 : -(1 << 20));
        }
    }

    private void assertDecodes(SplittableRandom random, byte[] expected, byte... encoded) {
        remember(random);
        MemorySegment block = blocks.either(random, encoded.length);
        block.copyFrom(MemorySegment.ofArray(encoded));
        int room = expected.length + (random.nextInt(3) == 0 ? random.nextInt(200) : 0);
        MemorySegment target = targets.either(random, room).fill((byte) 0x5A);
        assertEquals(expected.length, decoder.decode(block, target, ALL));
        assertArrayEquals(expected, target.asSlice(0, expected.length).toArray(JAVA_BYTE));
        for (int less : new int[] {1, 2, 13, 70}) {
            if (less <= expected.length) {
                MemorySegment small = targets.either(random, expected.length - less);
                assertTrue(decoder.decode(block, small, ALL) < 0, "less by " + less);
            }
        }
        if (expected.length > 0) {
            int wanted = 1 + random.nextInt(expected.length);
            MemorySegment front = targets.either(random, expected.length);
            front.fill((byte) 0x5A);
            assertEquals(wanted, decoder.decode(block, front, wanted));
            byte[] decoded = front.asSlice(0, wanted).toArray(JAVA_BYTE);
            assertArrayEquals(Arrays.copyOf(expected, wanted), decoded);
        }
    }

    /** A refusal is always right; accepted input must decode as liblz4 decodes it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damageIsRefusedOrMakesWhatLiblz4MakesOfIt(long seed) {
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "there is nothing to compare with");
        SplittableRandom random = new SplittableRandom(seed);
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < BLOCKS; round++) {
            CraftedLz4 good = crafted(random, 1 + random.nextInt(100)).last(5 + random.nextInt(9));
            int bytes = good.decodedBytes();
            for (int damage = 0; damage < 25; damage++) {
                byte[] damaged = MachineCodeZstdTest.damage(random, good.encoded());
                MemorySegment block = blocks.either(random, damaged.length);
                block.copyFrom(MemorySegment.ofArray(damaged));
                MemorySegment target = targets.either(random, bytes).fill((byte) 0x5A);
                remember(random);
                long decoded = decoder.decode(block, target, ALL);
                if (decoded < 0) {
                    refused++;
                    continue;
                }
                accepted++;
                MemorySegment expected = arena.allocate(bytes + 1L).asSlice(0, bytes);
                assertEquals(decoded, libraryDecodes(block, expected), "round " + round);
                assertEquals(
                        -1,
                        MemorySegment.mismatch(target, 0, decoded, expected, 0, decoded),
                        "round " + round);
            }
        }
        assertTrue(accepted > 20 && refused > 20, accepted + " accepted, " + refused + " refused");
    }

    /** There is nothing to repeat before the front, and no memory before the target. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 63, 64, 65, 200})
    void offsetsThatLeadNowhereAreRefused(int literals) {
        SplittableRandom random = new SplittableRandom(literals);
        for (int match : EDGES) {
            for (int before : new int[] {0, 1, 2}) {
                CraftedLz4 block = new CraftedLz4(random);
                for (int k = 0; k < before; k++) {
                    block.sequence(70, 30, 40);
                }
                int bytes = block.decodedBytes() + literals;
                int offset = List.of(0, bytes + 1, bytes + 64, 0xFFFF).get(random.nextInt(4));
                assertRefused(block.sequence(literals, offset, match + 3).last(100), match);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void offsetsThatLeadNowhereAreRefusedAmongFarOnes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int k = 0; k < 40; k++) {
            CraftedLz4 good = far(random).last(100);
            assertDecodes(random, good.decoded(), good.encoded());
            int offset = random.nextInt(3) == 0 ? 0 : 0xFFFF;
            CraftedLz4 bad = far(random).sequence(k % 15, offset, MATCH_MIN + k);
            assertRefused(bad.sequence(300, 1, 300).last(100), k);
        }
    }

    private void assertRefused(CraftedLz4 bad, int match) {
        remember(match % 2 == 1);
        for (MemorySegment block : blocks.both(bad.encoded())) {
            long room = bad.decodedBytes() + match + 4L;
            assertTrue(decoder.decode(block, targets.front(room), ALL) < 0);
            assertTrue(decoder.decode(block, targets.back(room), ALL) < 0);
        }
    }

    /** A block ends with 5 literals and more, and no match begins in its last 12 bytes. */
    @Test
    void theEndIsAsTheFormatSays() {
        SplittableRandom random = new SplittableRandom(1);
        for (int before : new int[] {0, 20, 200}) {
            for (int literals = 0; literals < 14; literals++) {
                for (int match = MATCH_MIN; match < 12; match++) {
                    CraftedLz4 block = atTheEnd(random, before, match, literals);
                    boolean isGood = literals >= 5 && match + literals >= 12;
                    for (MemorySegment encoded : blocks.both(block.encoded())) {
                        MemorySegment target = targets.back(block.decodedBytes());
                        long bytes = decoder.decode(encoded, target, ALL);
                        assertEquals(isGood, bytes == target.byteSize(), "literals " + literals);
                    }
                }
            }
        }
    }

    private static CraftedLz4 atTheEnd(SplittableRandom random, int before, int match, int last) {
        CraftedLz4 block = new CraftedLz4(random).sequence(10, 3, 10);
        return block.sequence(before, 7, match).last(last);
    }

    /** With more room, the end of the block decides. */
    @Test
    void theEndIsAsLiblz4SeesIt() {
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "there is nothing to compare with");
        SplittableRandom random = new SplittableRandom(1);
        for (int before : new int[] {0, 20, 200}) {
            for (int literals = 0; literals < 14; literals++) {
                for (int match : new int[] {4, 18, 19, 20, 273, 274, 275, 529, 1000}) {
                    CraftedLz4 block = atTheEnd(random, before, match, literals);
                    for (MemorySegment encoded : blocks.both(block.encoded())) {
                        MemorySegment target = targets.back(block.decodedBytes() + 100L);
                        long bytes = libraryDecodes(encoded, target);
                        assertEquals(Math.max(bytes, -1), decoder.decode(encoded, target, ALL));
                    }
                }
            }
        }
    }

    /** The rest may be anything, also the end within a sequence. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofTheFrontNothingElseIsLookedAt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < BLOCKS; round++) {
            CraftedLz4 bad = round % 2 == 0 ? far(random) : crafted(random, 60);
            byte[] front = bad.decoded();
            bad.sequence(3, 0xFFFF, 20).sequence(random.nextInt(200), 1, 300).last(12);
            MemorySegment target = targets.either(random, bad.decodedBytes() + 400L);
            for (MemorySegment block : blocks.both(bad.encoded())) {
                remember(random);
                assertTrue(decoder.decode(block, target, ALL) < 0);
                target.fill((byte) 0x5A);
                int wanted = 1 + random.nextInt(front.length);
                assertEquals(wanted, decoder.decode(block, target, wanted));
                byte[] decoded = target.asSlice(0, wanted).toArray(JAVA_BYTE);
                assertArrayEquals(Arrays.copyOf(front, wanted), decoded);
            }
        }
    }

    @Test
    void nothingIsDecodedToNothing() {
        MemorySegment empty = targets.back(0);
        assertEquals(0, decoder.decode(blocks.back(1).fill((byte) 0), empty, ALL));
        assertTrue(decoder.decode(blocks.back(1).fill((byte) 3), empty, ALL) < 0);
        assertTrue(decoder.decode(blocks.back(0), empty, ALL) < 0);
        assertTrue(decoder.decode(blocks.back(0), targets.back(9), ALL) < 0);
    }

    /** A block of 4 GiB could have a length of a terabyte; this block ends before that. */
    @ParameterizedTest
    @ValueSource(ints = {0xF0, 0x1F})
    void lengthsWithoutEndAreRefused(int token) {
        for (int bytes : new int[] {3, 4, 20, 70, 80, 100_000}) {
            byte[] encoded = new byte[bytes];
            Arrays.fill(encoded, (byte) 0xFF);
            encoded[0] = (byte) token;
            for (MemorySegment block : blocks.both(encoded)) {
                assertTrue(decoder.decode(block, targets.back(200), ALL) < 0);
            }
        }
    }

    private static long libraryDecodes(MemorySegment block, MemorySegment target) {
        return Liblz4.LZ4_decompress_safe(
                block, target, (int) block.byteSize(), (int) target.byteSize());
    }

    private byte[] compress(byte... sample) {
        MemorySegment source = arena.allocate(sample.length + 1L);
        MemorySegment.copy(sample, 0, source, JAVA_BYTE, 0, sample.length);
        MemorySegment encoded = arena.allocate(sample.length + sample.length / 255 + 16L);
        int bytes =
                Liblz4.LZ4_compress_default(
                        source, encoded, sample.length, (int) encoded.byteSize());
        assertTrue(bytes > 0);
        return encoded.asSlice(0, bytes).toArray(JAVA_BYTE);
    }
}
