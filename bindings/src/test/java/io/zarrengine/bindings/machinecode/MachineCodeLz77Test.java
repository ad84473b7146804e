package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the BloscLZ and Snappy decoders on handmade and damaged streams. Streams and targets are
 * next to inaccessible pages.
 */
final class MachineCodeLz77Test {
    private static final int STREAMS = 40; // for each seed
    private static final int BYTES_MAX = 1 << 20;

    /** Includes the lengths and offsets at which the code takes another branch. */
    private static final int[] EDGES = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 31, 32, 33, 34, 47, 48,
        49, 59, 60, 61, 63, 64, 65, 100, 127, 128, 255, 256, 257, 263, 264, 265, 519, 2047, 2048,
        2049, 3000
    };

    private final Arena arena = Arena.ofConfined();
    private GuardedPages streams;
    private GuardedPages targets;

    /** A format and its decoder. */
    enum Format {
        BLOSCLZ,
        SNAPPY;

        CraftedLz77 crafted(SplittableRandom random) {
            return this == BLOSCLZ
                    ? new CraftedLz77.Blosclz(random)
                    : new CraftedLz77.Snappy(random);
        }

        long decode(MemorySegment stream, MemorySegment target, long bytes) {
            return this == BLOSCLZ
                    ? MachineCodeLz77.decodeBlosclz(stream, target, bytes)
                    : MachineCodeLz77.decodeSnappy(stream, target, bytes);
        }

        long decode(MemorySegment stream, MemorySegment target) {
            return decode(stream, target, Long.MAX_VALUE);
        }
    }

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeLz77.denial());
        streams = new GuardedPages(BYTES_MAX, arena);
        targets = new GuardedPages(BYTES_MAX, arena);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    static LongStream seeds() {
        return MachineCodeZstdTest.seeds();
    }

    static Stream<Arguments> formatsAndSeeds() {
        return Stream.of(Format.values())
                .flatMap(format -> seeds().mapToObj(seed -> Arguments.of(format, seed)));
    }

    /** Otherwise the other tests might be skipped by mistake. */
    @Test
    void areThereOnProcessorsThatHaveWhatTheyNeed() {
        ProcessorFlags.assertDecide(MachineCodeLz77.denial(), "bmi1", "bmi2", "ssse3", "sse4_1");
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("formatsAndSeeds")
    void decodesLiteralsAndMatchesOfAnyLength(Format format, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < STREAMS; round++) {
            assertDecodes(format, random, crafted(format, random));
        }
    }

    private static CraftedLz77 crafted(Format format, SplittableRandom random) {
        CraftedLz77 stream = format.crafted(random).literals(1 + random.nextInt(40));
        for (int tokens = random.nextInt(150); tokens > 0; tokens--) {
            if (random.nextInt(3) == 0) {
                stream.literals(edge(random));
            } else {
                int far = random.nextBoolean() ? edge(random) : 1 + random.nextInt(1 << 17);
                int offset = 1 + (far - 1) % Math.min(stream.decodedBytes(), 8192 + 65535);
                stream.match(offset, Math.max(edge(random), stream.matchMin()));
            }
        }
        return random.nextBoolean() ? stream : stream.literals(1 + random.nextInt(40));
    }

    /** Returns a length, mostly a short one. */
    private static int edge(SplittableRandom random) {
        return EDGES[random.nextInt(random.nextInt(4) == 0 ? EDGES.length : 20)];
    }

    /** Literals before a match leave no room for copies of whole registers, or just enough. */
    @ParameterizedTest
    @EnumSource
    void decodesEveryLengthAtEveryOffset(Format format) {
        SplittableRandom random = new SplittableRandom(1);
        for (int offset : EDGES) {
            for (int length : EDGES) {
                CraftedLz77 stream = format.crafted(random).literals(offset);
                stream.match(offset, Math.max(length, stream.matchMin()));
                assertDecodes(format, random, stream);
                assertDecodes(format, random, stream.literals(1 + random.nextInt(70)));
            }
        }
    }

    /** Tests the lengths of literals, and the offsets, at which the encoding changes. */
    @ParameterizedTest
    @EnumSource
    void decodesWhatIsWrittenInAnotherWay(Format format) {
        SplittableRandom random = new SplittableRandom(2);
        for (int around : new int[] {32, 60, 256, 2048, 8192, 65_536, 8192 + 65_536}) {
            for (int offset = around - 2; offset <= around + 2; offset++) {
                CraftedLz77 stream = format.crafted(random).literals(offset);
                if (format == Format.SNAPPY || offset <= 8192 + 65_535) {
                    stream.match(offset, 9);
                }
                assertDecodes(format, random, stream);
            }
        }
    }

    private void assertDecodes(Format format, SplittableRandom random, CraftedLz77 stream) {
        byte[] expected = stream.decoded();
        byte[] encoded = stream.encoded();
        MemorySegment from = streams.either(random, encoded.length);
        from.copyFrom(MemorySegment.ofArray(encoded));
        int room = expected.length + (random.nextInt(3) == 0 ? random.nextInt(200) : 0);
        MemorySegment target = targets.either(random, room).fill((byte) 0x5A);
        assertEquals(expected.length, format.decode(from, target));
        assertArrayEquals(expected, target.asSlice(0, expected.length).toArray(JAVA_BYTE));
        int less = 1 + random.nextInt(expected.length);
        assertTrue(format.decode(from, targets.either(random, expected.length - less)) < 0);
        int wanted = 1 + random.nextInt(expected.length);
        MemorySegment front = targets.either(random, expected.length).fill((byte) 0x5A);
        long decoded = format.decode(from, front, wanted);
        assertTrue(decoded >= wanted && decoded <= expected.length, decoded + " of " + wanted);
        assertArrayEquals(
                Arrays.copyOf(expected, wanted), front.asSlice(0, wanted).toArray(JAVA_BYTE));
    }

    /** After the token in which the front ends, there may be anything, or nothing. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("formatsAndSeeds")
    void ofTheFrontNothingElseIsLookedAt(Format format, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CraftedLz77 front = crafted(format, random);
        int bytes = front.decodedBytes();
        byte[] tokens = front.encoded();
        byte[] damaged = front.literals(20).match(7, 10).encoded();
        Arrays.fill(damaged, tokens.length + 1, damaged.length, (byte) 0xFF);
        for (MemorySegment stream : streams.both(damaged)) {
            MemorySegment target = targets.back(front.decodedBytes());
            assertTrue(format.decode(stream, target) < 0);
            assertTrue(format.decode(stream, target, bytes) >= bytes);
            byte[] decoded = target.asSlice(0, bytes).toArray(JAVA_BYTE);
            assertArrayEquals(Arrays.copyOf(front.decoded(), bytes), decoded);
        }
    }

    @ParameterizedTest
    @EnumSource
    void offsetsThatLeadNowhereAreRefused(Format format) {
        SplittableRandom random = new SplittableRandom(3);
        for (int literals : EDGES) {
            for (int offset : new int[] {literals + 1, literals + 64, 65_000}) {
                CraftedLz77 stream = format.crafted(random).literals(literals);
                assertRefused(format, stream.match(offset, 9).literals(40), literals + 49);
            }
        }
        CraftedLz77 snappy = Format.SNAPPY.crafted(random).literals(10).match(0, 9).literals(40);
        assertRefused(Format.SNAPPY, snappy, 59);
    }

    private void assertRefused(Format format, CraftedLz77 stream, int room) {
        for (MemorySegment encoded : streams.both(stream.encoded())) {
            assertTrue(format.decode(encoded, targets.front(room)) < 0);
            assertTrue(format.decode(encoded, targets.back(room)) < 0);
        }
    }

    /** Truncates anywhere. BloscLZ can end between tokens too; Snappy has a size in its header. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("formatsAndSeeds")
    void aTruncationIsRefusedOrDecodesToTheFront(Format format, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CraftedLz77 stream = crafted(format, random);
        byte[] expected = stream.decoded();
        byte[] encoded = stream.encoded();
        int fronts = 0;
        for (int bytes = 0; bytes < encoded.length; bytes += 1 + bytes / 500) {
            for (MemorySegment cut : streams.both(Arrays.copyOf(encoded, bytes))) {
                MemorySegment target = targets.back(expected.length);
                long decoded = format.decode(cut, target);
                if (decoded >= 0) {
                    fronts++;
                    MemorySegment front = target.asSlice(0, decoded);
                    assertArrayEquals(
                            Arrays.copyOf(expected, (int) decoded), front.toArray(JAVA_BYTE));
                }
            }
        }
        assertEquals(format == Format.BLOSCLZ, fronts > 0, fronts + " were not refused");
    }

    /** Truncates inside the token too, for all kinds of matches. */
    @ParameterizedTest
    @EnumSource
    void aMatchThatIsCutIsRefused(Format format) {
        SplittableRandom random = new SplittableRandom(4);
        for (int offset : new int[] {7, 300, 3000, 8192, 9000, 70_000}) {
            CraftedLz77 stream = format.crafted(random).literals(offset);
            int bytes = stream.encoded().length;
            byte[] encoded = stream.match(offset, 40).encoded();
            for (int cut = bytes + 1; cut < encoded.length; cut++) {
                for (MemorySegment from : streams.both(Arrays.copyOf(encoded, cut))) {
                    assertTrue(format.decode(from, targets.back(stream.decodedBytes())) < 0);
                }
            }
        }
    }

    /** No byte outside is read or written; the output is undefined. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("formatsAndSeeds")
    void damageNeverLeadsOutside(Format format, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < STREAMS; round++) {
            CraftedLz77 good = crafted(format, random);
            for (int damage = 0; damage < 25; damage++) {
                byte[] damaged = MachineCodeZstdTest.damage(random, good.encoded());
                MemorySegment stream = streams.either(random, damaged.length);
                stream.copyFrom(MemorySegment.ofArray(damaged));
                MemorySegment target = targets.either(random, good.decodedBytes());
                long decoded = format.decode(stream, target);
                assertTrue(decoded <= target.byteSize());
                refused += decoded < 0 ? 1 : 0;
            }
        }
        assertTrue(refused > STREAMS, refused + " refused");
    }

    /** Sizes of Snappy: without an end, of more than 32 bits, larger than the room. */
    @Test
    void sizesThatCannotBeAreRefused() {
        byte[][] blocks = {
            {},
            {(byte) 0x80},
            {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0},
            {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x10, 0},
            {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F, 0},
            {2, 0, 7},
        };
        for (byte[] block : blocks) {
            for (MemorySegment at : streams.both(block)) {
                assertTrue(Format.SNAPPY.decode(at, targets.back(1)) < 0);
            }
        }
        assertEquals(0, Format.SNAPPY.decode(streams.both((byte) 0).getFirst(), targets.back(0)));
        assertEquals(0, Format.BLOSCLZ.decode(streams.back(0), targets.back(0)));
    }
}
