package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.libzstd.Libzstd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the zstd decoder with libzstd: the same output for every frame by libzstd; for a damaged
 * one the same output or a refusal. Frames and targets are next to inaccessible pages.
 */
final class MachineCodeZstdTest {
    private static final int[] LEVELS = {-5, 1, 2, 3, 5, 7, 9, 13, 19};

    private static final int FRAMES = 40; // for each seed

    // zstd.h
    private static final int COMPRESSION_LEVEL = 100;
    private static final int WINDOW_LOG = 101;
    private static final int MIN_MATCH = 105;
    private static final int STRATEGY = 107;
    private static final int CONTENT_SIZE_FLAG = 200;
    private static final int CHECKSUM_FLAG = 201;
    private static final int TARGET_C_BLOCK_SIZE = 1003;

    private final Arena arena = Arena.ofConfined();
    private MachineCodeZstd decoder;
    private MemorySegment library;
    private GuardedPages frames;
    private GuardedPages targets;

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeZstd.denial());
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "there is nothing to compare with");
        decoder = new MachineCodeZstd();
        library = NativeHandle.attach(Libzstd.ZSTD_createDCtx(), arena, Libzstd::ZSTD_freeDCtx);
        frames = new GuardedPages(2 * Sample.BYTES_MAX, arena);
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
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 8), LongStream.of(fresh));
    }

    /** Otherwise the other tests might be skipped by mistake. */
    @Test
    void isThereOnProcessorsThatHaveWhatItNeeds() {
        ProcessorFlags.assertDecide(MachineCodeZstd.denial(), "bmi1", "bmi2", "ssse3", "sse4_1");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decodesWhatLibzstdEncodes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < FRAMES; round++) {
            byte[] sample = Sample.any(random);
            byte[] encoded = encode(random, sample);
            MemorySegment frame = frames.either(random, encoded.length);
            frame.copyFrom(MemorySegment.ofArray(encoded));
            int room = sample.length + (random.nextBoolean() ? 0 : random.nextInt(200));
            MemorySegment target = targets.either(random, room);
            assertEquals(sample.length, decoder.decodeFrame(frame, target, true), "round " + round);
            assertArrayEquals(sample, target.asSlice(0, sample.length).toArray(JAVA_BYTE));
            for (int less : new int[] {1, 2, 33, 70}) { // The room does not end with the pages.
                MemorySegment small = targets.either(random, Math.max(sample.length - less, 0));
                assertTrue(sample.length == 0 || decoder.decodeFrame(frame, small, true) < 0);
            }
        }
    }

    /** A refusal is always right; accepted input must decode as libzstd decodes it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damageIsRefusedOrMakesWhatLibzstdMakesOfIt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < FRAMES; round++) {
            byte[] sample = Sample.any(random);
            byte[] encoded = encode(random, sample);
            for (int damage = 0; damage < 25; damage++) {
                byte[] damaged = damage(random, encoded);
                MemorySegment frame = frames.either(random, damaged.length);
                frame.copyFrom(MemorySegment.ofArray(damaged));
                MemorySegment target = targets.either(random, sample.length);
                long bytes = decoder.decodeFrame(frame, target, true);
                if (bytes < 0) {
                    refused++;
                    continue;
                }
                accepted++;
                widenWindow(frame);
                MemorySegment expected = arena.allocate(sample.length + 1L).asSlice(0, bytes);
                assertEquals(bytes, libraryDecodes(frame, expected), "round " + round);
                assertEquals(-1, target.asSlice(0, bytes).mismatch(expected), "round " + round);
            }
        }
        assertTrue(accepted > 20 && refused > 20, accepted + " accepted, " + refused + " refused");
    }

    static byte[] damage(SplittableRandom random, byte... encoded) {
        if (random.nextInt(6) == 0) {
            return Arrays.copyOf(encoded, random.nextInt(encoded.length));
        }
        byte[] damaged = encoded.clone();
        for (int k = random.nextInt(1, 4); k > 0; k--) {
            int within = random.nextBoolean() ? encoded.length : Math.min(encoded.length, 60);
            int at = random.nextInt(within);
            damaged[at] =
                    (byte)
                            (random.nextBoolean()
                                    ? damaged[at] ^ 1 << random.nextInt(8)
                                    : random.nextInt(256));
        }
        return damaged;
    }

    /**
     * Some releases of libzstd refuse a block that is larger than the window. The decoder reads it:
     * it means one thing.
     */
    private static void widenWindow(MemorySegment frame) {
        boolean hasWindow = (frame.get(JAVA_BYTE, 4) & 1 << 5) == 0;
        if (hasWindow) {
            frame.set(JAVA_BYTE, 5, CraftedZstd.WINDOW_OF_128_KIB);
        }
    }

    private long libraryDecodes(MemorySegment frame, MemorySegment target) {
        return Libzstd.ZSTD_decompressDCtx(
                library, target, target.byteSize(), frame, frame.byteSize());
    }

    @Test
    void aChecksumIsComparedIfThatIsAskedFor() {
        for (int bytes : new int[] {0, 1, 3, 4, 8, 31, 32, 33, 100, 5000}) {
            byte[] sample = Sample.noise(new SplittableRandom(bytes), bytes, 50);
            byte[] encoded = compress(Map.of(CHECKSUM_FLAG, 1), sample);
            MemorySegment frame = frames.back(encoded.length);
            frame.copyFrom(MemorySegment.ofArray(encoded));
            MemorySegment target = targets.back(bytes);
            assertEquals(bytes, decoder.decodeFrame(frame, target, true));
            long last = frame.byteSize() - 1;
            frame.set(JAVA_BYTE, last, (byte) ~frame.get(JAVA_BYTE, last));
            assertTrue(decoder.decodeFrame(frame, target, true) < 0, "wrong, of " + bytes);
            assertEquals(bytes, decoder.decodeFrame(frame, target, false));
        }
    }

    /** The loops check the end of the room once for many bytes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 9, 17, 33, 70})
    void sequencesEndAnywhere(int literals) {
        SplittableRandom random = new SplittableRandom(literals);
        for (int bytes = 2 * literals + 8; bytes < 2 * literals + 400; bytes++) {
            byte[] sample = Sample.noise(random, bytes, 256);
            for (int k = literals; k < bytes; k += 1 + random.nextInt(literals)) {
                int from = random.nextInt(k);
                for (int end = Math.min(bytes, k + random.nextInt(3, 45)); k < end; k++) {
                    sample[k] = sample[from++];
                }
            }
            byte[] encoded = compress(Map.of(COMPRESSION_LEVEL, 19, MIN_MATCH, 3), sample);
            assertBothMake(bytes, encoded);
        }
    }

    /** Streams go back by the most bytes per round. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 100, 1000, 2000})
    void theLongestCodesAreRead(int elevenBytes) {
        int symbols = 4 * 8 * elevenBytes;
        var literals = new CraftedZstd().longestCodes(symbols, 11 * elevenBytes).littleEndian(0, 1);
        assertBothMake(symbols, CraftedZstd.frame(symbols, literals));
    }

    /**
     * Bits are missing: a decoder that continues reads the bytes before the streams. libzstd does
     * not notice that in long streams.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 6, 7, 8, 20, 1000})
    void streamsThatAreTooShortAreRefused(int streamBytes) {
        int symbols = 4 * 16_000;
        var literals = new CraftedZstd().longestCodes(symbols, streamBytes).littleEndian(0, 1);
        for (MemorySegment frame : both(CraftedZstd.frame(symbols, literals))) {
            assertTrue(decoder.decodeFrame(frame, targets.back(symbols), true) < 0);
        }
    }

    /** No encoder makes such a tree, and libzstd refuses it. */
    @Test
    void aTreeNeedsTwoLongestCodes() {
        assertBothMake(
                80,
                CraftedZstd.frame(80, new CraftedZstd().oneStream(80, 2, 1, 1).littleEndian(0, 1)));
        assertBothRefuse(
                80,
                CraftedZstd.frame(80, new CraftedZstd().oneStream(80, 2, 2, 2).littleEndian(0, 1)));
    }

    /** 15 literals and 3 bytes at the previous offset, repeated. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 100, 2000})
    void noMoreLiteralsAreCopiedThanThereAre(int sequences) {
        int bytes = sequences * 18;
        for (int missing : new int[] {0, 1, 15, 15 * sequences / 2}) {
            var block =
                    new CraftedZstd()
                            .rawLiterals(15 * sequences - missing)
                            .equalSequences(sequences, 15, 0, 0);
            byte[] frame = CraftedZstd.frame(bytes, block.bits(0, 0));
            if (missing == 0) {
                assertBothMake(bytes, frame);
            } else {
                assertBothRefuse(bytes, frame);
            }
            // There are extra bytes after literals in the frame.
            assertBothRefuse(bytes, CraftedZstd.frame(bytes, block.bits(100, 0)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void tablesOfAnotherFrameAreNotRepeated(int sequences) {
        byte[] before =
                encode(new SplittableRandom(1), Sample.noise(new SplittableRandom(1), 999, 3));
        MemorySegment frame = frames.front(before.length);
        frame.copyFrom(MemorySegment.ofArray(before));
        assertEquals(999, decoder.decodeFrame(frame, targets.front(999), true)); // leaves tables
        for (int modes : new int[] {0b1111_1100, 0b1100_0000, 0b0011_0000, 0b0000_1100}) {
            var block = new CraftedZstd().rawLiterals(1000).sequences(sequences, modes);
            assertBothRefuse(2000, CraftedZstd.frame(2000, block.bits(200, 0xFF)));
        }
        for (int bits = 1; bits <= 11; bits++) {
            var block = new CraftedZstd().treelessStream(8 * sequences, bits * sequences);
            assertBothRefuse(
                    8 * sequences, CraftedZstd.frame(8 * sequences, block.littleEndian(0, 1)));
        }
    }

    /** Sequences of 47 bytes, the most that the loop copies without a check, and of 72. */
    @ParameterizedTest
    @ValueSource(ints = {15, 23})
    void whatDoesNotFitIsNotWritten(int literalsCode) {
        for (int room = 1; room < 400; room++) {
            var block =
                    new CraftedZstd()
                            .rawLiterals(1000)
                            .equalSequences(30, literalsCode, 0, 29)
                            .bits(100, 0);
            assertBothRefuse(room, CraftedZstd.frame(room, block));
        }
    }

    /** One less than the previous offset, which is 1. Some releases of libzstd use 1 too. */
    @Test
    void anOffsetOf0IsRefused() {
        var block = new CraftedZstd().rawLiterals(0).equalSequences(80, 0, 1, 0).bits(10, 0xFF);
        for (MemorySegment frame : both(CraftedZstd.frame(240, block))) {
            assertTrue(decoder.decodeFrame(frame, targets.back(240), true) < 0);
        }
    }

    private void assertBothMake(int bytes, byte... encoded) {
        for (MemorySegment frame : both(encoded)) {
            MemorySegment expected = arena.allocate(bytes);
            assertEquals(bytes, libraryDecodes(frame, expected));
            MemorySegment target = targets.back(bytes);
            assertEquals(bytes, decoder.decodeFrame(frame, target, true));
            assertEquals(-1, target.mismatch(expected));
        }
    }

    private void assertBothRefuse(int bytes, byte... encoded) {
        for (MemorySegment frame : both(encoded)) {
            long result = libraryDecodes(frame, arena.allocate(bytes));
            assertNotEquals(0, Libzstd.ZSTD_isError(result));
            assertTrue(decoder.decodeFrame(frame, targets.back(bytes), true) < 0);
        }
    }

    /** Returns the frame at both ends of its pages. */
    private List<MemorySegment> both(byte... encoded) {
        MemorySegment bytes = MemorySegment.ofArray(encoded);
        return List.of(
                frames.front(encoded.length).copyFrom(bytes),
                frames.back(encoded.length).copyFrom(bytes));
    }

    @Test
    void twoFramesAreNotOne() {
        byte[] encoded =
                encode(new SplittableRandom(1), Sample.noise(new SplittableRandom(1), 99, 9));
        MemorySegment frame = frames.back(2L * encoded.length);
        MemorySegment.copy(encoded, 0, frame, JAVA_BYTE, 0, encoded.length);
        MemorySegment.copy(encoded, 0, frame, JAVA_BYTE, encoded.length, encoded.length);
        assertTrue(decoder.decodeFrame(frame, targets.back(198), true) < 0);
        assertTrue(decoder.decodeFrame(frame.asSlice(0, 0), targets.back(9), true) < 0);
    }

    /** The loops read some bytes before a block, which are in the frame's header. */
    @Test
    void aBlockHasAFrameBeforeIt() {
        MemorySegment frame = frames.front(100);
        MemorySegment target = targets.front(100);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> decoder.decodeBlock(frame, 5, 50, target, 0, MemorySegment.NULL));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> decoder.decodeBlock(frame, 6, 101, target, 0, MemorySegment.NULL));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> decoder.decodeBlock(frame, 6, 50, target, 101, MemorySegment.NULL));
    }

    /** Encodes with random parameters, to get blocks, tables and sequences of every kind. */
    private static byte[] encode(SplittableRandom random, byte... sample) {
        Map<Integer, Integer> parameters = new HashMap<>();
        parameters.put(COMPRESSION_LEVEL, LEVELS[random.nextInt(LEVELS.length)]);
        parameters.put(CHECKSUM_FLAG, random.nextInt(4) == 0 ? 1 : 0);
        parameters.put(CONTENT_SIZE_FLAG, random.nextInt(5) == 0 ? 0 : 1);
        if (random.nextInt(3) == 0) {
            parameters.put(WINDOW_LOG, random.nextInt(10, 20));
        }
        if (random.nextInt(3) == 0) {
            parameters.put(TARGET_C_BLOCK_SIZE, random.nextInt(1340, 9000));
        }
        if (random.nextInt(4) == 0) {
            parameters.put(MIN_MATCH, 3);
        }
        if (random.nextInt(4) == 0) {
            parameters.put(STRATEGY, random.nextInt(1, 10));
        }
        return compress(parameters, sample);
    }

    private static byte[] compress(Map<Integer, Integer> parameters, byte... sample) {
        MemorySegment context = Libzstd.ZSTD_createCCtx();
        try (Arena scratch = Arena.ofConfined()) {
            parameters.forEach((key, value) -> Libzstd.ZSTD_CCtx_setParameter(context, key, value));
            MemorySegment source = scratch.allocate(sample.length + 1L);
            MemorySegment.copy(sample, 0, source, JAVA_BYTE, 0, sample.length);
            MemorySegment encoded = scratch.allocate(2L * sample.length + 1000);
            long bytes =
                    Libzstd.ZSTD_compress2(
                            context, encoded, encoded.byteSize(), source, sample.length);
            assertEquals(0, Libzstd.ZSTD_isError(bytes));
            return encoded.asSlice(0, bytes).toArray(JAVA_BYTE);
        } finally {
            Libzstd.ZSTD_freeCCtx(context);
        }
    }
}
