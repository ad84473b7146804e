package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import io.zarrengine.cuda.PieceBatch.Element;
import io.zarrengine.cuda.PieceBatch.Source;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that descriptors are merged, widened and tiled, but describe the elements of the boxes. */
final class PieceBatchTest {
    private static final long SOURCE_ADDRESS = 1 << 20;
    private static final long TARGET_ADDRESS = 1 << 24;
    private static final long ELSEWHERE = 1L << 62; // placeholder of SOURCE_ADDRESS
    private static final Element FLOAT = new Element(4, 0);

    private final MemorySegment memory = MemorySegment.ofArray(new long[32 * 4]);
    private final PieceBatch batch = new PieceBatch(memory);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void descriptorsSayWhatTheBoxesSay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            check(random, new PlaceCase(random), PieceInterpreter::run);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void descriptorsOfConvertedPiecesSayWhatTheBoxesSay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int grouped = 0;
        for (int round = 0; round < 300; round++) {
            check(random, new ConvertCase(random), PieceInterpreter::runConverting);
            grouped += memory.get(JAVA_BYTE, 34) > memory.get(JAVA_BYTE, 35) ? 1 : 0;
        }
        assertTrue(grouped > 10, grouped + " of 300 are converted 4 at a time");
    }

    private void check(
            SplittableRandom random, KernelCase piece, Consumer<PieceInterpreter> kernel) {
        long from = SOURCE_ADDRESS + aside(random, piece.sourceMultiple());
        long to = TARGET_ADDRESS + aside(random, piece.targetMultiple());
        byte[] source = piece.encoded();
        byte[] target = piece.targetBefore().clone();
        batch.clear();
        piece.addTo(
                batch, new DeviceSlice(from, source.length), new DeviceSlice(to, target.length));
        kernel.accept(new PieceInterpreter(batch.descriptors(), source, from, target, to));
        assertArrayEquals(piece.targetAfter(), target, piece::toString);
    }

    /** Returns an offset that is mostly less aligned than a thread's loads or stores. */
    private static long aside(SplittableRandom random, int multiple) {
        return random.nextBoolean() ? 0 : (long) multiple * random.nextInt(16);
    }

    /**
     * On the device each would be a misaligned access, or a dimension in the place of the
     * conversion.
     */
    @Test
    void aConvertedPieceThatDoesNotFitIsRefused() {
        Conversion widened =
                new Conversion(NumberType.INT16, 0, List.of(new Step.Cast(NumberType.FLOAT32)));
        DeviceSlice source = new DeviceSlice(SOURCE_ADDRESS, 64);
        DeviceSlice target = new DeviceSlice(TARGET_ADDRESS, 128);
        long[] one = {1};
        Box box = box(new long[] {4}, one, one);
        Source odd = new Source.Plain(new DeviceSlice(SOURCE_ADDRESS + 1, 64), 0);
        assertThrows(
                IllegalArgumentException.class,
                () -> batch.addConverted(odd, target, 0, box, widened));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        batch.addConverted(
                                new Source.Plain(source, 0),
                                new DeviceSlice(TARGET_ADDRESS + 2, 128),
                                0,
                                box,
                                widened));
        assertThrows(
                IllegalArgumentException.class,
                () -> batch.addConverted(new Source.Fill(1, 0), target, 0, box, widened));
        assertThrows(
                IndexOutOfBoundsException.class,
                () ->
                        batch.addConverted(
                                new Source.Plain(source, 0),
                                target,
                                0,
                                box(new long[] {33}, one, one),
                                widened));
        long[] apart = {0, 0, 0, 0, 0, 0, 0};
        long[] twos = {2, 2, 2, 2, 2, 2, 2};
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        batch.addConverted(
                                new Source.Plain(source, 0),
                                target,
                                0,
                                box(twos, apart, new long[] {13, 1, 5, 1, 3, 1, 2}),
                                widened));
        assertEquals(0, batch.count());
    }

    @Test
    void aConversionThatMakesNanOfNumbersIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Step.Scale(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Step.Scale(Double.NaN, 1));
        assertThrows(
                IllegalArgumentException.class, () -> new Step.Scale(1, Double.POSITIVE_INFINITY));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Conversion(NumberType.INT16, 0, List.of(new Step.Scale(1, 1))));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Conversion(NumberType.INT16, 4, List.of()));
    }

    /** The device would compute with another number than Java. */
    @Test
    void aNumberThatItsTypeDoesNotHaveIsRefused() {
        for (Step.Scale finer : List.of(new Step.Scale(0.1, 0), new Step.Scale(1, 0.1))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new Conversion(NumberType.FLOAT32, 0, List.of(finer)));
            var taken = new Conversion(NumberType.FLOAT64, 0, List.of(finer));
            assertEquals(List.of(finer), taken.steps());
        }
    }

    /** Fill values are not mapped like addresses, whatever their bits; tiles are numbered on. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void piecesThatWereDescribedForAnotherPlaceAreTheSame(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemorySegment ofAdded = MemorySegment.ofArray(new long[32 * 4]);
        PieceBatch added = new PieceBatch(ofAdded);
        PieceBatch others = new PieceBatch(MemorySegment.ofArray(new long[32 * 2]));
        for (int round = 0; round < 100; round++) {
            batch.clear();
            added.clear();
            while (!batch.isFull()) {
                others.clear();
                for (int i = 0; i < 2; i++) {
                    PlaceCase piece = new PlaceCase(random);
                    addTo(batch, piece, SOURCE_ADDRESS);
                    addTo(others, piece, ELSEWHERE);
                }
                added.addAll(
                        others,
                        address ->
                                address < ELSEWHERE
                                        ? address
                                        : address - ELSEWHERE + SOURCE_ADDRESS);
            }
            assertEquals(-1, memory.mismatch(ofAdded));
            assertEquals(batch.tiles(), added.tiles());
            assertThrows(IllegalStateException.class, () -> added.addAll(others, _ -> 0));
        }
    }

    private static void addTo(PieceBatch batch, PlaceCase piece, long address) {
        piece.addTo(
                batch,
                new DeviceSlice(address, piece.encoded.length),
                new DeviceSlice(TARGET_ADDRESS, piece.targetBefore.length));
    }

    @Test
    void contiguousDimensionsBecomeOneRunOfTheWidestUnits() {
        add(plain(64), box(new long[] {2, 4, 8}, new long[] {32, 8, 1}, new long[] {32, 8, 1}));
        assertEquals(1, memory.get(JAVA_BYTE, 32), "rank");
        assertEquals(16, memory.get(JAVA_BYTE, 34), "unit");
        assertEquals(64 * 4 / 16, memory.get(JAVA_LONG, 24), "units");
    }

    @Test
    void rowsApartStayRows() {
        add(plain(64), box(new long[] {2, 4}, new long[] {32, 1}, new long[] {4, 1}));
        assertEquals(1, memory.get(JAVA_BYTE, 32), "rank: a row is one unit");
        assertEquals(2, memory.get(JAVA_LONG, 24), "units");
        assertEquals(128, memory.get(JAVA_LONG, 128), "source stride in bytes");
    }

    @Test
    void tilesAreNumberedThrough() {
        long[] one = {1};
        long[] shape = {16 * 1024};
        for (int i = 0; i < 3; i++) {
            add(plain(1 << 20), box(shape, one, one));
        }
        // 64 KiB in units of 16 bytes are 4096 units, 4 tiles.
        assertEquals(0, memory.get(JAVA_LONG, 16));
        assertEquals(4, memory.get(JAVA_LONG, 256 + 16));
        assertEquals(8, memory.get(JAVA_LONG, 512 + 16));
        assertEquals(12, batch.tiles());
    }

    @Test
    void aPieceWithoutElementsIsLeftOut() {
        add(plain(0), box(new long[] {3, 0}, new long[] {1, 1}, new long[] {1, 1}));
        assertEquals(0, batch.count());
    }

    @Test
    void aPieceThatLeavesItsMemoryIsRefused() {
        long[] one = {1};
        long[] five = {5};
        assertThrows(IndexOutOfBoundsException.class, () -> add(plain(4), box(five, one, one)));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> add(plain(64), box(five, one, new long[] {-1})));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> add(plain(64), box(five, one, new long[] {1L << 40})));
        assertThrows(
                ArithmeticException.class,
                () -> add(plain(64), box(five, one, new long[] {Long.MAX_VALUE})));
        assertEquals(0, batch.count());
    }

    @Test
    void whatWouldBeMisalignedOnTheDeviceIsRefused() {
        DeviceSlice odd = new DeviceSlice(TARGET_ADDRESS + 2, 64);
        long[] one = {1};
        Box box = box(new long[] {4}, one, one);
        assertThrows(
                IllegalArgumentException.class,
                () -> batch.add(new Source.Fill(1, 0), odd, 0, box, FLOAT));
        assertThrows(
                IllegalArgumentException.class,
                () -> batch.add(plain(64), odd, 0, box, new Element(4, 4)));
        assertThrows(
                IllegalArgumentException.class, () -> batch.add(shuffled(64), odd, 0, box, FLOAT));
        batch.add(plain(64), odd, 0, box, FLOAT); // without a swap, in smaller units
        assertEquals(2, memory.get(JAVA_BYTE, 34));
    }

    @Test
    void aFullBatchRefuses() {
        long[] one = {1};
        for (int i = 0; i < 4; i++) {
            add(plain(4), box(one, one, one));
        }
        assertTrue(batch.isFull());
        assertThrows(IllegalStateException.class, () -> add(plain(4), box(one, one, one)));
    }

    private void add(Source source, Box box) {
        batch.add(source, new DeviceSlice(TARGET_ADDRESS, 4L << 20), 0, box, FLOAT);
    }

    private static Box box(long[] shape, long[] source, long[] target) {
        return new Box(shape, source, target);
    }

    private static Source plain(long elements) {
        return new Source.Plain(new DeviceSlice(SOURCE_ADDRESS, 4 * elements), 0);
    }

    private static Source shuffled(long elements) {
        DeviceSlice chunk = new DeviceSlice(SOURCE_ADDRESS, 4 * elements);
        return new Source.Shuffled(chunk, 0, Shuffle.BYTES, 8);
    }
}
