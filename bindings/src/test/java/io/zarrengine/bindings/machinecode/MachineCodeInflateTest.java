package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the deflate decoder on streams by zlib, handmade streams, and damaged ones, for which its
 * output must equal zlib's unless it refuses. Streams and targets are next to inaccessible pages.
 */
final class MachineCodeInflateTest {
    private static final int STREAMS = 40; // for each seed

    /** Includes the matches and distances at which the code takes another branch. */
    private static final int[] MATCHES = {
        3, 4, 8, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 50, 64, 65, 79, 80, 81, 130, 257, 258
    };

    private static final int[] DISTANCES = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 31, 32, 33, 47, 48, 64, 300,
        1000
    };

    /**
     * Distances around the limit: farther from a target's end, loops in assembly decode, nearer to
     * it, C.
     */
    private static final int[] FROM_THE_END = {0, 1, 15, 16, 17, 40, 300, 319, 320, 321, 1000};

    private final Arena arena = Arena.ofConfined();
    private MachineCodeInflate decoder;
    private GuardedPages streams;
    private GuardedPages targets;

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeInflate.denial());
        decoder = new MachineCodeInflate();
        streams = new GuardedPages(2 * Sample.BYTES_MAX, arena);
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
        ProcessorFlags.assertDecide(MachineCodeInflate.denial(), "bmi1", "bmi2", "ssse3", "sse4_1");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesWhatZlibEncodes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < STREAMS; round++) {
            byte[] sample = Sample.any(random);
            assertDecodes(random, sample, deflate(random.nextInt(10), random.nextInt(3), sample));
        }
    }

    private static byte[] deflate(int level, int strategy, byte... sample) {
        try (Deflater deflater = new Deflater(level, true)) {
            deflater.setStrategy(strategy);
            deflater.setInput(sample);
            deflater.finish();
            byte[] encoded = new byte[sample.length + sample.length / 100 + 1000];
            int bytes = 0;
            while (!deflater.finished()) { // It stops once to change its strategy.
                bytes += deflater.deflate(encoded, bytes, encoded.length - bytes);
            }
            return Arrays.copyOf(encoded, bytes);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesBlocksWithAnyCodes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < STREAMS; round++) {
            CraftedDeflate stream = crafted(random);
            assertDecodes(random, stream.decoded(), stream.encoded());
        }
    }

    /** Returns blocks of all kinds; some dynamic ones with mostly literals, or mostly matches. */
    private static CraftedDeflate crafted(SplittableRandom random) {
        CraftedDeflate stream = new CraftedDeflate(random);
        for (int block = random.nextInt(4); block > 0; block--) {
            addBlock(stream, random, false);
        }
        return addBlock(stream, random, true);
    }

    private static CraftedDeflate addBlock(
            CraftedDeflate stream, SplittableRandom random, boolean isLast) {
        if (random.nextInt(6) == 0) {
            return stream.stored(isLast, random.nextInt(300));
        }
        stream.variety(1 + random.nextInt(1 + random.nextInt(256)));
        int literals = 1 + random.nextInt(1 + random.nextInt(20)); // in a run, at most
        int far = 1 << random.nextInt(16);
        for (int k = random.nextInt(200); k > 0; k--) {
            stream.literals(random.nextInt(literals));
            int distance = 1 + random.nextInt(random.nextBoolean() ? 20 : far);
            if (distance <= stream.decodedBytes()) {
                int longest = random.nextInt(4) == 0 ? 256 : 15;
                stream.match(CraftedDeflate.MATCH_MIN + random.nextInt(longest), distance);
            }
        }
        return random.nextInt(4) == 0 ? stream.fixed(isLast) : stream.dynamic(isLast);
    }

    /** Matches are in the middle and near the end, after literals and after another match. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void decodesEveryMatch(boolean isDynamic) {
        SplittableRandom random = new SplittableRandom(1);
        for (int distance : DISTANCES) {
            for (int match : MATCHES) {
                CraftedDeflate stream = new CraftedDeflate(random).literals(distance);
                stream.match(match, distance).match(match, distance).literals(1);
                stream.match(match, distance);
                int after = FROM_THE_END[random.nextInt(FROM_THE_END.length)];
                stream.literals(after);
                assertDecodes(random, isDynamic ? stream.dynamic(true) : stream.fixed(true));
            }
        }
    }

    /**
     * One look-up, or one match, takes the most bits here, so that more than usual must have been
     * read. The first look-up takes 11 and 9 bits.
     */
    @ParameterizedTest
    @ValueSource(ints = {9, 10, 11, 12, 15})
    void decodesTheLongestCodes(int bits) {
        SplittableRandom random = new SplittableRandom(bits);
        Map<Integer, Integer> loops = new TreeMap<>();
        for (int round = 0; round < 40; round++) {
            CraftedDeflate stream = new CraftedDeflate(random).literals(33_000).dynamic(false);
            stream.longCodes(bits);
            for (int k = 0; k < 300; k++) {
                stream.literals(random.nextInt(1 + random.nextInt(4)));
                stream.match(131 + random.nextInt(32), 24_577 + random.nextInt(8000));
            }
            assertDecodes(random, stream.literals(random.nextInt(600)).dynamic(true));
            loops.merge(decoder.lastLoop(), 1, Integer::sum);
        }
        assertEquals(3, loops.size(), () -> "not all loops decoded: " + loops);
    }

    /** Uses all loops, up to both ends. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesManyLiteralsBehindMatches(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, Integer> loops = new TreeMap<>();
        for (int round = 0; round < 2 * STREAMS; round++) {
            CraftedDeflate stream = new CraftedDeflate(random).literals(10);
            stream.variety(
                    1 + random.nextInt(30)); // Among many literals, some codes take two look-ups.
            for (int k = random.nextInt(30); k > 0; k--) {
                stream.match(3 + random.nextInt(20), 1 + random.nextInt(10));
            }
            assertDecodes(random, stream.literals(1000 + random.nextInt(2000)).dynamic(true));
            loops.merge(decoder.lastLoop(), 1, Integer::sum);
        }
        assertEquals(3, loops.size(), () -> "not all loops decoded: " + loops);
    }

    @Test
    void decodesMatchesFromTheFarthestAway() {
        SplittableRandom random = new SplittableRandom(2);
        for (int before : new int[] {32_768, 32_769, 40_000}) {
            CraftedDeflate stream = new CraftedDeflate(random).literals(before);
            for (int match : MATCHES) {
                stream.match(match, 32_768).literals(random.nextInt(3));
            }
            assertDecodes(random, stream.literals(1000).dynamic(true));
        }
    }

    @Test
    void emptyBlocksAndEmptyStreamsAreDecoded() {
        SplittableRandom random = new SplittableRandom(3);
        for (int kind = 0; kind < 9; kind++) {
            CraftedDeflate stream = new CraftedDeflate(random);
            for (int block = 1; block >= 0; block--) {
                boolean isLast = block == 0;
                switch (block == 0 ? kind % 3 : kind / 3) {
                    case 0 -> stream.stored(isLast, 0);
                    case 1 -> stream.fixed(isLast);
                    default -> stream.dynamic(isLast);
                }
            }
            assertDecodes(random, stream);
        }
    }

    private void assertDecodes(SplittableRandom random, CraftedDeflate stream) {
        assertDecodes(random, stream.decoded(), stream.encoded());
    }

    private void assertDecodes(SplittableRandom random, byte[] expected, byte... encoded) {
        // In a long stream, more tables are worth making.
        int after = new int[] {0, random.nextInt(40), 60_000}[random.nextInt(3)];
        MemorySegment stream = streams.either(random, encoded.length + after);
        stream.copyFrom(MemorySegment.ofArray(encoded));
        int room = expected.length + (random.nextInt(3) == 0 ? random.nextInt(2000) : 0);
        MemorySegment target = targets.either(random, room).fill((byte) 0x5A);
        assertEquals(expected.length, decoder.decode(stream, target));
        assertEquals(encoded.length, decoder.usedBytes());
        assertArrayEquals(expected, target.asSlice(0, expected.length).toArray(JAVA_BYTE));
        for (int less : new int[] {1, 2, 13, 70, 700, 2000}) {
            if (less <= expected.length) {
                MemorySegment small = targets.either(random, expected.length - less);
                assertTrue(decoder.decode(stream, small) < 0, "less by " + less);
            }
        }
        if (expected.length > 0) {
            int wanted = 1 + random.nextInt(expected.length);
            MemorySegment front = targets.either(random, expected.length);
            front.fill((byte) 0x5A);
            assertEquals(wanted, decoder.decodeFront(stream, front, wanted));
            byte[] decoded = front.asSlice(0, wanted).toArray(JAVA_BYTE);
            assertArrayEquals(Arrays.copyOf(expected, wanted), decoded);
        }
    }

    /** A refusal is always right; accepted input must decode as zlib decodes it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damageIsRefusedOrMakesWhatZlibMakesOfIt(long seed) throws DataFormatException {
        SplittableRandom random = new SplittableRandom(seed);
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < STREAMS; round++) {
            CraftedDeflate good = crafted(random);
            int room = good.decodedBytes() + random.nextInt(400);
            for (int damage = 0; damage < 25; damage++) {
                byte[] damaged = MachineCodeZstdTest.damage(random, good.encoded());
                MemorySegment stream = streams.either(random, damaged.length);
                stream.copyFrom(MemorySegment.ofArray(damaged));
                MemorySegment target = targets.either(random, room).fill((byte) 0x5A);
                long decoded = decoder.decode(stream, target);
                if (decoded < 0) {
                    refused++;
                    continue;
                }
                accepted++;
                try (Inflater inflater = new Inflater(true)) {
                    inflater.setInput(damaged);
                    byte[] expected = new byte[room + 1];
                    assertEquals(decoded, inflater.inflate(expected), "round " + round);
                    assertTrue(inflater.finished(), "round " + round);
                    assertEquals(decoder.usedBytes(), inflater.getBytesRead());
                    assertArrayEquals(
                            Arrays.copyOf(expected, (int) decoded),
                            target.asSlice(0, decoded).toArray(JAVA_BYTE));
                }
            }
        }
        assertTrue(accepted > 20 && refused > 20, accepted + " accepted, " + refused + " refused");
    }

    /** zlib refuses them too. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void blocksWithAFlawAreRefused(CraftedDeflate.Flaw flaw) {
        SplittableRandom random = new SplittableRandom(flaw.name().hashCode());
        for (int round = 0; round < 50; round++) {
            CraftedDeflate stream = new CraftedDeflate(random).literals(20).fixed(false);
            int distance = flaw == CraftedDeflate.Flaw.THREE_DISTANCES_OF_ONE_BIT ? 1 : 5;
            stream.flaw(flaw).variety(100).literals(10);
            stream.match(3, distance).match(4, distance).literals(500);
            assertRefusedAsByZlib(stream.dynamic(true).encoded());
        }
    }

    @Test
    void oneCodeForLengthsIsRefused() {
        SplittableRandom random = new SplittableRandom(4);
        assertRefusedAsByZlib(new CraftedDeflate(random).oneCodeForLengths(500).encoded());
    }

    private void assertRefusedAsByZlib(byte... encoded) {
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(encoded);
            byte[] target = new byte[2000];
            assertThrows(DataFormatException.class, () -> inflater.inflate(target), "taken");
        }
        for (MemorySegment stream : streams.both(encoded)) {
            assertTrue(decoder.decode(stream, targets.front(2000)) < 0);
            assertTrue(decoder.decodeFront(stream, targets.back(2000), 400) < 0);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyTruncationIsRefused(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 30; round++) {
            CraftedDeflate stream =
                    round < 3
                            ? crafted(random)
                            : new CraftedDeflate(random).literals(round).dynamic(true);
            byte[] encoded = stream.encoded();
            for (int bytes = 0; bytes < encoded.length; bytes++) {
                for (MemorySegment cut : streams.both(Arrays.copyOf(encoded, bytes))) {
                    MemorySegment target = targets.either(random, stream.decodedBytes());
                    assertTrue(decoder.decode(cut, target) < 0, bytes + " bytes");
                }
            }
        }
    }

    /** There is nothing to repeat before the front, and no memory before the target. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 63, 400})
    void distancesThatLeadNowhereAreRefused(int literals) {
        SplittableRandom random = new SplittableRandom(literals);
        for (int match : MATCHES) {
            for (int beyond : new int[] {1, 2, 20, 30_000}) {
                CraftedDeflate stream = new CraftedDeflate(random).literals(literals);
                stream.match(match, literals + beyond).literals(random.nextBoolean() ? 0 : 1000);
                stream = random.nextBoolean() ? stream.fixed(true) : stream.dynamic(true);
                long room = (long) stream.decodedBytes() + match;
                for (MemorySegment encoded : streams.both(stream.encoded())) {
                    assertTrue(decoder.decode(encoded, targets.front(room)) < 0);
                    assertTrue(decoder.decode(encoded, targets.back(room)) < 0);
                }
            }
        }
    }

    /** The rest may be anything, also the end of the stream. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofTheFrontNothingElseIsLookedAt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < STREAMS; round++) {
            CraftedDeflate bad = new CraftedDeflate(random).literals(1 + random.nextInt(3000));
            for (int k = random.nextInt(200); k > 0; k--) {
                bad.match(3 + random.nextInt(30), 1 + random.nextInt(bad.decodedBytes()));
            }
            byte[] front = bad.decoded();
            bad.match(20, 32_768).literals(random.nextInt(1000)).dynamic(true);
            MemorySegment target = targets.either(random, bad.decodedBytes() + 400L);
            for (MemorySegment stream : streams.both(bad.encoded())) {
                assertTrue(front.length >= 32_768 || decoder.decode(stream, target) < 0);
                target.fill((byte) 0x5A);
                int wanted = 1 + random.nextInt(front.length);
                assertEquals(wanted, decoder.decodeFront(stream, target, wanted));
                byte[] decoded = target.asSlice(0, wanted).toArray(JAVA_BYTE);
                assertArrayEquals(Arrays.copyOf(front, wanted), decoded);
            }
        }
    }
}
