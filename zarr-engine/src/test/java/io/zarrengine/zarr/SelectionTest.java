package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.Positions;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Selections select the same positions as NumPy. */
final class SelectionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # selection | shape | shape of the result | start | step
                    ...          | ``    | ``    | ``    | ``
                    ...          | 5 6 7 | 5 6 7 | 0 0 0 | 1 1 1
                    :            | 5 6 7 | 5 6 7 | 0 0 0 | 1 1 1
                    :, :, :      | 5 6 7 | 5 6 7 | 0 0 0 | 1 1 1
                    :, :, :, ... | 5 6 7 | 5 6 7 | 0 0 0 | 1 1 1
                    1            | 5 6 7 | 6 7   | 1 0 0 | 1 1 1
                    -1           | 5 6 7 | 6 7   | 4 0 0 | 1 1 1
                    -5, 5        | 5 6 7 | 7     | 0 5 0 | 1 1 1
                    0, 0, 0      | 5 6 7 | ``    | 0 0 0 | 1 1 1
                    ..., 3       | 5 6 7 | 5 6   | 0 0 3 | 1 1 1
                    2, ..., -7   | 5 6 7 | 6     | 2 0 0 | 1 1 1
                    ..., 1, 2    | 5 6 7 | 5     | 0 1 2 | 1 1 1
                    1:3          | 5     | 2     | 1     | 1
                    1:           | 5     | 4     | 1     | 1
                    :3           | 5     | 3     | 0     | 1
                    ::           | 5     | 5     | 0     | 1
                    ::2          | 5     | 3     | 0     | 2
                    ::2          | 6     | 3     | 0     | 2
                    1::2         | 5     | 2     | 1     | 2
                    1:4:2        | 5     | 2     | 1     | 2
                    1:5:2        | 5     | 2     | 1     | 2
                    ::4          | 5     | 2     | 0     | 4
                    ::5          | 5     | 1     | 0     | 1
                    3::100       | 5     | 1     | 3     | 1
                    -3:          | 5     | 3     | 2     | 1
                    :-3          | 5     | 2     | 0     | 1
                    -4:-1        | 5     | 3     | 1     | 1
                    -4:-1:2      | 5     | 2     | 1     | 2
                    -9:2         | 5     | 2     | 0     | 1
                    2:99         | 5     | 3     | 2     | 1
                    -99:99       | 5     | 5     | 0     | 1
                    5:           | 5     | 0     | 0     | 1
                    99:          | 5     | 0     | 0     | 1
                    3:3          | 5     | 0     | 0     | 1
                    3:1          | 5     | 0     | 0     | 1
                    -1:-3        | 5     | 0     | 0     | 1
                    :-5          | 5     | 0     | 0     | 1
                    :            | 0     | 0     | 0     | 1
                    2:, 1        | 0 3   | 0     | 0 1   | 1 1
                    0:2, 1, :, 100:228 | 4 5 6 7 | 2 6 0 | 0 1 0 0 | 1 1 1 1
                    ` 1 : 3 : 2 , +2`  | 5 6     | 1     | 1 2     | 1 1
                    -9223372036854775808:9223372036854775807:9223372036854775807 | 5 | 1 | 0 | 1
                    4611686018427387900::4 | 4611686018427387904 | 1 | 4611686018427387900 | 1
                    0:99999999999999999999 | 5 | 5 | 0 | 1
                    -99999999999999999999: | 5 | 5 | 0 | 1
                    99999999999999999999::-99999999999999999999 | 5 | 1 | 4 | 1
                    ::3 | 9223372036854775807 | 3074457345618258603 | 0 | 3
                    """)
    void selectsWhatNumPySelects(
            String text, String shape, String resultShape, String start, String step) {
        ResolvedSelection resolved = resolve(Selection.of(text), longs(shape));
        assertArrayEquals(longs(resultShape), resolved.resultShape());
        Region region = resolved.region(4);
        assertEquals(longs(shape).length, region.rank());
        assertArrayEquals(longs(start), starts(region));
        assertArrayEquals(longs(step), steps(region));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    5        | 5   | index 5 is outside dimension 0, which has length 5
                    -6       | 5   | index -6 is outside dimension 0, which has length 5
                    :, 0     | 5 0 | index 0 is outside dimension 1, which has length 0
                    ..., 9   | 5 6 | index 9 is outside dimension 1, which has length 6
                    -9223372036854775808 | 5 | index -9223372036854775808 is outside dimension 0
                    :, [0,6] | 5 6 | index 6 is outside dimension 1, which has length 6
                    [1,-6,9] | 5   | index -6 is outside dimension 0, which has length 5
                    [0]      | 0   | index 0 is outside dimension 0, which has length 0
                    """)
    void refusesAnIndexOutsideTheArray(String text, String shape, String message) {
        Selection selection = Selection.of(text);
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class, () -> resolve(selection, longs(shape)));
        assertTrue(e.getMessage().startsWith(message), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1, 2         | 5   | the selection "1, 2" is for 2 dimensions, the array has 1
                    0            | ``  | the selection "0" is for 1 dimensions, the array has 0
                    :, ..., :, : | 5 6 | the selection ":, ..., :, :" is for 3 dimensions, the array has 2
                    ::0          | 5   | the step of dimension 0 is 0
                    """)
    void refusesSelectionsThatDoNotFitTheArray(String text, String shape, String message) {
        Selection selection = Selection.of(text);
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class, () -> resolve(selection, longs(shape)));
        assertTrue(e.getMessage().startsWith(message), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a", "1:b", "1:2:3:4", "1,,2", ",", "1,", "1.5", "..", "....", "1 2", "1;2", "[",
                "]", "[1", "1]", "1,2]", "[1,2", "[1,]", "[,]", "[a]", "[1:2]", "[...]", "[[1],2]",
                "[1]2", "[1][2]",
            })
    void refusesWhatIsNoSelection(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Selection.of(text));
        assertTrue(e.getMessage().contains(" is no selection of dimension "), e::getMessage);
        assertTrue(e.getMessage().contains("\"" + text + "\""), e::getMessage);
    }

    @Test
    void namesTheNullArgument() {
        DimensionSelection none = null;
        assertNull("the text of a selection is null", () -> Selection.of(null));
        assertNull("the text of a selection is null", () -> Selection.blocks(null));
        assertNull("the offset of a box is null", () -> Selection.box(null, new long[1]));
        assertNull("the shape of a box is null", () -> Selection.box(new long[1], null));
        assertNull("the points are null", () -> Selection.points((long[][]) null));
        assertNull("the mask is null", () -> Selection.mask((boolean[]) null));
        assertNull("the selection of dimension 0 is null", () -> Selection.orthogonal(none));
    }

    private static void assertNull(String message, Executable call) {
        assertEquals(message, assertThrows(NullPointerException.class, call).getMessage());
    }

    @Test
    void explainsAnInvalidSelectionOnce() {
        String expected = ": expected an index, start:stop:step, [index,index] or ...";
        assertRefused("\"abc\" is no selection of dimension 0" + expected, "abc");
        assertRefused("\"abc\" in \"1, abc\" is no selection of dimension 1" + expected, "1, abc");
        assertRefused(
                "\"1:b\" is no selection of dimension 0, for \"b\" is no integer" + expected,
                "1:b");
        for (String empty : new String[] {"", "  "}) {
            assertRefused("an empty text is no selection: \"...\" selects everything", empty);
            assertThrows(IllegalArgumentException.class, () -> Selection.blocks(empty));
        }
        assertThrows(NullPointerException.class, () -> Selection.of(null));
    }

    private static void assertRefused(String message, String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Selection.of(text));
        assertEquals(message, e.getMessage());
    }

    /** Both ends of a dimension have the same message. */
    @Test
    void namesTheDimensionOfABoxOutsideTheArray() {
        Selection beyond = Selection.box(new long[] {0, 8}, new long[] {1, 3});
        IndexOutOfBoundsException e =
                assertThrows(IndexOutOfBoundsException.class, () -> resolve(beyond, longs("4 10")));
        assertEquals(
                "a box of length 3 at 8 reaches beyond the end of dimension 1, which has length 10",
                e.getMessage());
        e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> Selection.box(new long[] {0, -1}, new long[] {1, 3}));
        assertEquals(
                "a box begins at -1 in dimension 1: it must lie inside the array", e.getMessage());
    }

    @Test
    void refusesAnIndexBeyond64Bits() {
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> Selection.of("0, -9223372036854775809"));
        assertEquals("index -9223372036854775809 of dimension 1 is beyond 64 bits", e.getMessage());
    }

    /** The expected value lists each dimension's positions, in the order of the result. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # selection          | shape | shape of the result | positions
                    [2]                  | 5     | 1                   | 2
                    [0,3,-1]             | 5     | 3                   | 0 3 4
                    [4,0,4,-5]           | 5     | 4                   | 4 0 4 0
                    []                   | 5     | 0                   | ``
                    [ ], 1               | 5 6   | 0                   | ;1
                    [0,5,-1], 2:9, :     | 7 9 2 | 3 7 2               | 0 5 6;2 3 4 5 6 7 8;0 1
                    [3,1],[2],[0,0]      | 5 6 7 | 2 1 2               | 3 1;2;0 0
                    2, [1,0]             | 5 6   | 2                   | 2;1 0
                    [1,0], -1            | 5 6   | 2                   | 1 0;5
                    ..., [1, 0 ,+2 ]     | 2 6   | 2 3                 | 0 1;1 0 2
                    [1]                  | 5 2   | 1 2                 | 1;0 1
                    """)
    void selectsEveryCombinationOfLists(
            String text, String shape, String resultShape, String positions) {
        ResolvedSelection resolved = resolve(Selection.of(text), longs(shape));
        assertArrayEquals(longs(resultShape), resolved.resultShape());
        long[][] listed =
                Stream.of(positions.split(";")).map(SelectionTest::longs).toArray(long[][]::new);
        assertArrayEquals(
                IndexedReadTest.combinations(listed).toArray(),
                inTarget(resolved.plan(1, ChunkGrid.regular(longs(shape)))));
    }

    /** Returns the position in the only chunk of each byte of the target. */
    private static long[][] inTarget(ChunkPlan plan) {
        SortedMap<Long, long[]> positions = new TreeMap<>();
        for (long ordinal = 0; ordinal < plan.chunks(); ordinal++) {
            for (Region part : plan.parts(ordinal)) {
                Positions.forEach(part, (position, at) -> positions.put(at, position));
            }
        }
        return positions.values().toArray(long[][]::new);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    0, [1,x]      | dimension 1, for "x" is no index
                    [1,2], [3,]   | dimension 1, for "" is no index
                    ..., [1:2], 3 | dimension -2, for "1:2" is no index
                    0, 1:b        | dimension 1, for "b" is no integer
                    """)
    void namesTheDimensionAndTheValue(String text, String message) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Selection.of(text));
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    @Test
    void refusesAListOfChunks() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Selection.blocks("0, [1,3]"));
        assertTrue(e.getMessage().contains("[1, 3] of chunks"), e::getMessage);
    }

    @Test
    void refusesTwoEllipses() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Selection.of("..., 1, ..."));
        assertEquals("\"..., 1, ...\" has ... more than once", e.getMessage());
    }

    @Test
    void refusesABoxOutsideTheArray() {
        long[] shape = {5, 6};
        assertBox("2 3", "1 2", resolve(box("1 2", "2 3", "1 1"), shape));
        assertBox("5 6", "0 0", resolve(box("0 0", "5 6", "1 1"), shape));
        assertBox("2 2", "0 1", resolve(box("0 1", "2 2", "4 4"), shape));
        assertBox("0 6", "0 0", resolve(box("5 0", "0 6", "1 1"), shape));
        assertBox("1 6", "4 0", resolve(box("4 0", "1 6", "99 1"), shape));
        assertOutside(box("0 0", "6 6", "1 1"), shape);
        assertOutside(box("4 0", "2 6", "1 1"), shape);
        assertOutside(box("0 0", "2 6", "5 1"), shape);
        assertOutside(box("5 0", "1 6", "1 1"), shape);
        assertOutside(box("6 0", "0 6", "1 1"), shape);
        assertOutside(box("1 0", "9223372036854775807 1", "9223372036854775807 1"), shape);
        assertOutside(box("9223372036854775807 0", "1 1", "1 1"), shape);
    }

    private static Selection box(String offset, String shape, String step) {
        return Selection.box(longs(offset), longs(shape), longs(step));
    }

    private static void assertBox(String resultShape, String start, ResolvedSelection box) {
        assertArrayEquals(longs(resultShape), box.resultShape());
        assertArrayEquals(longs(start), starts(box.region(1)));
    }

    private static void assertOutside(Selection box, long[] shape) {
        assertThrows(IndexOutOfBoundsException.class, () -> resolve(box, shape), box::toString);
    }

    @Test
    void refusesABoxOfAnotherRank() {
        assertIllegal(() -> Selection.box(new long[2], new long[3]));
        assertIllegal(() -> Selection.box(new long[2], new long[2], new long[1]));
        assertIllegal(() -> Selection.box(new long[] {0}, new long[] {-1}));
        assertIllegal(() -> Selection.box(new long[] {0}, new long[] {1}, new long[] {0}));
        assertIllegal(() -> resolve(box("0 0", "1 1", "1 1"), new long[] {5}));
        assertArrayEquals(
                new long[] {2, 6}, resolve(box("0", "2", "1"), new long[] {5, 6}).resultShape());
    }

    private static void assertIllegal(Executable executable) {
        assertThrows(IllegalArgumentException.class, executable);
    }

    @Test
    void fillsTheTargetInCOrder() {
        ResolvedSelection resolved = resolve(Selection.of("1:, 2, ::2"), new long[] {5, 6, 7});
        Region region = resolved.region(8);
        assertEquals(8L * 4 * 4, resolved.bytes(8));
        assertEquals(0, region.targetOffset());
        assertArrayEquals(
                new long[] {4 * 8, 4 * 8, 8},
                new long[] {
                    region.targetStride(0), region.targetStride(1), region.targetStride(2)
                });
        assertEquals(0, resolve(Selection.of("3:2"), new long[] {5}).bytes(8));
        assertEquals(8, resolve(Selection.all(), new long[0]).bytes(8));
    }

    @Test
    void refusesAResultOfMoreThan63Bits() {
        ResolvedSelection all = resolve(Selection.all(), new long[] {1L << 61, 4});
        assertThrows(IllegalArgumentException.class, () -> all.bytes(2));
        assertEquals(1L << 62, resolve(Selection.of(":, :2"), new long[] {1L << 61, 4}).bytes(1));
    }

    @Test
    void printsItself() {
        assertEquals("0:2, 1, :, -5::2, ...", Selection.of("0:2,1,:,-5::2,...").toString());
        assertEquals("[0, -1], 1:", Selection.of("[0,-1],1:").toString());
        assertEquals("...", Selection.all().toString());
        assertEquals("3 from 1 by 2", box("1", "3", "2").toString());
    }

    /** A slow twin looks at every position of a dimension. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void selectsThePositionsThatASlowTwinFinds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2000; round++) {
            int rank = 1 + random.nextInt(4);
            long[] shape = random.longs(rank, 0, 12).toArray();
            List<String> parts = new ArrayList<>();
            List<List<Long>> expected = new ArrayList<>();
            for (long length : shape) {
                String start = bound(random, length);
                String stop = bound(random, length);
                long step = random.nextBoolean() ? 1 + random.nextLong(6) : -1 - random.nextLong(6);
                parts.add(start + ":" + stop + (step == 1 ? "" : ":" + step));
                expected.add(slowTwin(start, stop, step, length));
            }
            String text = String.join(", ", parts);
            ResolvedSelection resolved = resolve(Selection.of(text), shape);
            Region region = resolved.region(1);
            for (int d = 0; d < rank; d++) {
                List<Long> wanted = new ArrayList<>(expected.get(d));
                List<Long> actual = positions(region, d);
                if (region.elements() == 0) { // An empty region has no direction.
                    Collections.sort(wanted);
                    Collections.sort(actual);
                }
                assertEquals(wanted, actual, text);
                assertEquals(region.count(d), resolved.resultShape()[d]);
            }
        }
    }

    private static ResolvedSelection resolve(Selection selection, long... shape) {
        long[] chunkShape = new long[shape.length];
        Arrays.fill(chunkShape, 3);
        return selection.resolve(shape, ChunkGrid.regular(chunkShape));
    }

    private static String bound(SplittableRandom random, long length) {
        return random.nextInt(4) == 0 ? "" : "" + random.nextLong(-2 * length - 2, 2 * length + 3);
    }

    /** Visits all positions in the direction of the step, and tests each for membership. */
    private static List<Long> slowTwin(String start, String stop, long step, long length) {
        List<Long> all = new ArrayList<>();
        for (long at = 0; at < length; at++) {
            all.add(at);
        }
        if (step < 0) {
            Collections.reverse(all);
        }
        long lowest = step > 0 ? 0 : -1;
        long first = start.isEmpty() ? (step > 0 ? 0 : length - 1) : Long.parseLong(start);
        if (!start.isEmpty() && first < 0) {
            first = Math.max(lowest, first + length);
        }
        first = step < 0 ? Math.min(first, length - 1) : first;
        long end = stop.isEmpty() ? (step > 0 ? length : -1) : Long.parseLong(stop);
        if (!stop.isEmpty() && end < 0) {
            end = Math.max(lowest, end + length);
        }
        List<Long> positions = new ArrayList<>();
        for (long at : all) {
            boolean inside = step > 0 ? at >= first && at < end : at <= first && at > end;
            if (inside && (at - first) % step == 0) {
                positions.add(at);
            }
        }
        return positions;
    }

    /** Returns positions in the order of the result. */
    private static List<Long> positions(Region region, int d) {
        List<Long> positions = new ArrayList<>();
        for (long i = 0; i < region.count(d); i++) {
            positions.add(region.start(d) + i * region.step(d));
        }
        if (region.targetStride(d) < 0) {
            Collections.reverse(positions);
        }
        return positions;
    }

    private static long[] starts(Region region) {
        long[] starts = new long[region.rank()];
        for (int d = 0; d < starts.length; d++) {
            starts[d] = region.start(d);
        }
        return starts;
    }

    private static long[] steps(Region region) {
        long[] steps = new long[region.rank()];
        for (int d = 0; d < steps.length; d++) {
            steps[d] = region.step(d);
        }
        return steps;
    }

    private static long[] longs(String text) {
        return Stream.of(text.split(" "))
                .filter(number -> !number.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
