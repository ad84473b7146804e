package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import io.zarrengine.cuda.PieceBatch.Element;
import io.zarrengine.cuda.PieceBatch.Source;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that pieces at equal distances become one descriptor with the same effect as one for each.
 */
final class RepeatedPieceTest {
    private static final long SOURCE_ADDRESS = 1 << 20;
    private static final long TARGET_ADDRESS = 1 << 24;
    private static final int PIECES_MAX = 5;
    private static final int ROUNDS = 60;
    private static final long SHIFT = 1L << 61;
    private static final long[] ONE = {1};
    private static final Box ROW = new Box(new long[] {4}, ONE, ONE);
    private static final Element FLOAT = new Element(4, 0);

    private final PieceBatch batch = new PieceBatch(MemorySegment.ofArray(new long[32 * 8]));

    /** A piece, several times, with sources and targets at equal distances. */
    private final class Copies {
        private final PlaceCase piece;
        private final KernelCase moved; // the piece itself, or with a conversion
        private final int count;
        private final long sourceStep;
        private final long targetStep;
        private final boolean isBackwards; // in the target
        private final boolean isBackFirst; // in the source
        private final boolean isLastAstray; // in the target
        private final boolean isLastElsewhere; // in the source
        private final byte[] source;
        private final byte[] before;
        private long shift;

        Copies(SplittableRandom random, boolean isConverted) {
            if (isConverted) {
                ConvertCase converted = new ConvertCase(random);
                piece = converted.piece;
                moved = converted;
            } else {
                piece = new PlaceCase(random);
                moved = piece;
            }
            count = 2 + random.nextInt(PIECES_MAX - 1);
            boolean isShuffled = piece.source(new DeviceSlice(0, 0)) instanceof Source.Shuffled;
            sourceStep = isShuffled ? piece.encoded.length : apart(random, piece.encoded.length);
            targetStep = apart(random, moved.targetBefore().length);
            isBackwards = random.nextBoolean();
            isBackFirst = !isShuffled && random.nextInt(3) == 0;
            isLastAstray = count > 2 && random.nextInt(4) == 0;
            isLastElsewhere = count > 2 && !isShuffled && random.nextInt(4) == 0;
            source = new byte[Math.toIntExact((count + 1) * sourceStep)];
            random.nextBytes(source);
            before = new byte[Math.toIntExact((count + 1) * targetStep)];
        }

        private static long apart(SplittableRandom random, int bytes) {
            return (bytes + 15L & -16) + 16L * random.nextInt(3);
        }

        private void add(int i) {
            long to = (isBackwards ? count - 1 - i : i) * targetStep;
            if (isLastAstray && i == count - 1) {
                to = count * targetStep;
            }
            long from = (isBackFirst ? count - 1 - i : i) * sourceStep;
            if (isLastElsewhere && i == count - 1) {
                from = count * sourceStep;
            }
            moved.addTo(
                    batch,
                    new DeviceSlice(shift + SOURCE_ADDRESS + from, piece.encoded.length),
                    new DeviceSlice(shift + TARGET_ADDRESS + to, moved.targetBefore().length));
        }

        private void runTo(byte[] target) {
            MemorySegment descriptors = batch.descriptors();
            for (long at = 0; at < descriptors.byteSize(); at += PieceBatch.DESCRIPTOR_BYTES) {
                MemorySegment one = descriptors.asSlice(at, PieceBatch.DESCRIPTOR_BYTES);
                var interpreter =
                        new PieceInterpreter(one, source, SOURCE_ADDRESS, target, TARGET_ADDRESS);
                if (moved instanceof ConvertCase) {
                    interpreter.runConverting();
                } else {
                    interpreter.run();
                }
            }
        }

        byte[] oneByOne() {
            byte[] target = before.clone();
            for (int i = 0; i < count; i++) {
                batch.clear();
                add(i);
                runTo(target);
            }
            return target;
        }

        /** Adds all pieces through another batch, described before the addresses were known. */
        byte[] together() {
            byte[] target = before.clone();
            batch.clear();
            shift = SHIFT;
            for (int i = 0; i < count; i++) {
                add(i);
            }
            shift = 0;
            PieceBatch others = new PieceBatch(MemorySegment.ofArray(new long[32 * 8]));
            others.addAll(batch, address -> address - SHIFT);
            batch.clear();
            batch.addAll(others, address -> address);
            runTo(target);
            return target;
        }

        /**
         * Returns whether a descriptor has room for one more dimension, and chunks have whole
         * blocks.
         */
        boolean mayRepeat() {
            boolean isOdd = Integer.bitCount(piece.element.bytes()) > 1;
            boolean isConverted = moved instanceof ConvertCase;
            int rankMax = isConverted ? PieceBatch.CONVERTED_RANK_MAX : PieceBatch.RANK_MAX;
            boolean hasRoom = piece.box.shape().length + (isOdd ? 1 : 0) < rankMax;
            long elements = piece.encoded.length / piece.element.bytes();
            return hasRoom
                    && (!(piece.source(new DeviceSlice(0, 0)) instanceof Source.Shuffled)
                            || elements % piece.blockElements == 0);
        }

        long descriptors() {
            boolean isFill = piece.kind == PlaceCase.Kind.FILL;
            return isLastAstray || (isLastElsewhere && !isFill) ? 2 : 1;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void repeatedPiecesDoWhatEachOfThemDoes(long seed) {
        repeat(new SplittableRandom(seed), false);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void soDoConvertedOnes(long seed) {
        repeat(new SplittableRandom(seed), true);
    }

    private void repeat(SplittableRandom random, boolean isConverted) {
        int repeated = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Copies copies = new Copies(random, isConverted);
            byte[] expected = copies.oneByOne();
            assertArrayEquals(expected, copies.together(), copies.moved::toString);
            if (copies.mayRepeat()) {
                assertEquals(copies.descriptors(), batch.count(), copies.moved::toString);
                repeated++;
            }
        }
        // About 28 do so by chance.
        assertTrue(repeated > 8, repeated + " of " + ROUNDS + " repeat");
    }

    private void add(long source, long target) {
        batch.add(
                new Source.Plain(new DeviceSlice(source, 16), 0),
                new DeviceSlice(target, 16),
                0,
                ROW,
                FLOAT);
    }

    /** Each piece alone is one tile. Together they are one tile. */
    @Test
    void tilesAreThoseOfAllUnits() {
        for (int i = 0; i < 7; i++) {
            add(SOURCE_ADDRESS + 32L * i, TARGET_ADDRESS + 64L * i);
        }
        assertEquals(1, batch.count());
        assertEquals(1, batch.tiles());
        add(SOURCE_ADDRESS, TARGET_ADDRESS + 1024);
        assertEquals(2, batch.count());
        assertEquals(2, batch.tiles());
    }

    /**
     * The unit of the first piece is as wide as its alignment allows. The others must have the same
     * alignment.
     */
    @Test
    void whatIsAlignedOtherwiseStandsAlone() {
        add(SOURCE_ADDRESS, TARGET_ADDRESS);
        add(SOURCE_ADDRESS + 20, TARGET_ADDRESS + 32);
        add(SOURCE_ADDRESS + 36, TARGET_ADDRESS + 52);
        add(SOURCE_ADDRESS + 44, TARGET_ADDRESS + 60);
        assertEquals(4, batch.count());
    }

    /** Adds a piece of the i-th of several consecutive chunks. */
    private void add(int i, Shuffle shuffle, long blockElements, long first, Element element) {
        DeviceSlice chunk = new DeviceSlice(SOURCE_ADDRESS + 64L * i, 64);
        DeviceSlice target = new DeviceSlice(TARGET_ADDRESS + 16L * i, 16);
        Source source = new Source.Shuffled(chunk, first, shuffle, blockElements);
        batch.add(source, target, 0, ROW, element);
    }

    @Test
    void whatIsEncodedOtherwiseStandsAlone() {
        add(0, Shuffle.BYTES, 16, 0, FLOAT);
        add(1, Shuffle.BYTES, 16, 0, FLOAT);
        assertEquals(1, batch.count());
        add(2, Shuffle.BITS, 16, 0, FLOAT);
        assertEquals(2, batch.count());
        add(3, Shuffle.BITS, 8, 0, FLOAT);
        assertEquals(3, batch.count());
        add(4, Shuffle.BITS, 8, 8, FLOAT);
        assertEquals(4, batch.count());
        add(5, Shuffle.BITS, 8, 8, new Element(4, 4));
        assertEquals(5, batch.count());
    }

    @Test
    void whatIsConvertedOtherwiseStandsAlone() {
        List<Step> steps = List.of(new Step.Cast(NumberType.INT32));
        var unscaled = new Conversion(NumberType.FLOAT32, 0, steps);
        var scaled = new Conversion(NumberType.FLOAT32, 0, List.of(new Step.Scale(2, 0)));
        int i = 0;
        for (Conversion conversion : List.of(unscaled, unscaled, scaled, scaled)) {
            batch.addConverted(
                    new Source.Plain(new DeviceSlice(SOURCE_ADDRESS + 32L * i, 16), 0),
                    new DeviceSlice(TARGET_ADDRESS + 64L * i, 16),
                    0,
                    ROW,
                    conversion);
            i++;
        }
        assertEquals(2, batch.count());
    }

    /** These addresses may be offsets in two memories whose distance is not known yet. */
    @Test
    void whatIsVeryFarStandsAlone() {
        add(SOURCE_ADDRESS, TARGET_ADDRESS);
        add(SOURCE_ADDRESS + (1L << 60), TARGET_ADDRESS + 16);
        add(SOURCE_ADDRESS + (1L << 60) + 16, TARGET_ADDRESS + (1L << 60));
        assertEquals(3, batch.count());
    }

    @Test
    void nothingFollowsWhatCameFromAnotherBatch() {
        PieceBatch others = new PieceBatch(MemorySegment.ofArray(new long[32]));
        others.add(
                new Source.Plain(new DeviceSlice(SOURCE_ADDRESS, 64), 0),
                new DeviceSlice(TARGET_ADDRESS, 64),
                0,
                new Box(new long[] {16}, ONE, ONE),
                FLOAT);
        add(SOURCE_ADDRESS + 1024, TARGET_ADDRESS + 1024);
        batch.addAll(others, address -> address);
        add(SOURCE_ADDRESS + 1040, TARGET_ADDRESS + 1056);
        assertEquals(3, batch.count());
        assertEquals(3, batch.tiles());
    }
}
