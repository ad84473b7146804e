package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.FormatException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays whose chunks have different shapes, written by hand. */
final class RectilinearReadTest {
    private static final int[] ROWS = {2, 5, 1, 4}; // 12 in all, the array has 10
    private static final int[] COLUMNS = {3, 3, 1};

    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [10, 7], "data_type": "int32",
             "chunk_grid": {"name": "rectilinear", "configuration":
                {"kind": "inline", "chunk_shapes": %s}},
             "chunk_key_encoding": "default", "fill_value": -1,
             "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
            """;

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void write(String chunkShapes) throws IOException {
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT.formatted(chunkShapes));
        int top = 0;
        for (int row = 0; row < ROWS.length; row++) {
            Files.createDirectories(folder.resolve("c").resolve("" + row));
            int left = 0;
            for (int column = 0; column < COLUMNS.length; column++) {
                Path file = folder.resolve("c/" + row + "/" + column);
                Files.write(file, chunk(top, left, ROWS[row], COLUMNS[column]));
                left += COLUMNS[column];
            }
            top += ROWS[row];
        }
    }

    private static byte[] chunk(int top, int left, int height, int width) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * height * width);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                bytes.putInt(100 * (top + y) + left + x);
            }
        }
        return bytes.array();
    }

    private int[] read(Selection selection) {
        try (ZarrArray array = engine.openArray(folder);
                HostTensor tensor = array.read(selection)) {
            return tensor.segment().toArray(ValueLayout.JAVA_INT);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[2, 5, 1, 4], [3, 3, 1]]",
                "[[2, 5, 1, 4], [[3, 2], 1]]",
                "[[2, [5, 1], 1, [4, 3]], [[3, 2], [1, 100000000000]]]",
            })
    void readsEverySpellingOfItsGrid(String chunkShapes) throws IOException {
        write(chunkShapes);
        int[] all = IntStream.range(0, 70).map(i -> 100 * (i / 7) + i % 7).toArray();
        assertArrayEquals(all, read(Selection.all()));
        assertArrayEquals(
                new int[] {606, 603, 600, 206, 203, 200}, read(Selection.of("6:0:-4, ::-3")));
        assertArrayEquals(new int[] {700}, read(Selection.of("7, 0:1")));
        assertArrayEquals(
                new int[] {903, 105, 903},
                read(Selection.points(new long[] {9, 1, 9}, new long[] {3, 5, 3})));
        int[] block = IntStream.range(2, 7).flatMap(y -> IntStream.of(100 * y + 6)).toArray();
        assertArrayEquals(block, read(Selection.blocks("1, -1")));
        int[] columns = Arrays.stream(new int[] {6, 0, 3}).map(x -> 800 + x).toArray();
        assertArrayEquals(
                columns,
                read(
                        Selection.orthogonal(
                                DimensionSelection.indexes(8),
                                DimensionSelection.indexes(6, 0, 3))));
    }

    @Test
    void fillsAMissingChunk() throws IOException {
        write("[[2, 5, 1, 4], [3, 3, 1]]");
        Files.delete(folder.resolve("c/2/1"));
        assertArrayEquals(new int[] {702, -1, -1, -1, 706}, read(Selection.of("7, 2:")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[2, 5], [3, 3, 1]]      | covers 7 positions, the array has 10",
                "[[2, 0, 8], [3, 3, 1]]   | holds 0, no chunk length",
                "[[[2, 0], 8], [3, 3, 1]] | holds [2,0], expected a length and a count",
                "[[[], 10], 7]            | holds [], expected a length and a count",
                "[10]                     | has 1 entries, the array 2 dimensions",
                "[0, 7]                   | is 0, expected a length or a list",
                "[[[4611686018427387904, 3]], 7] | no chunk length",
                "[[10, 2305843009213693952], 7] | holds 2305843009213693952, no chunk length",
                "[[9], 7]                 | covers 9 positions, the array has 10",
                "[[[10, 0]], 7]           | holds [10,0], expected a length and a count",
                "[[[10, -1]], 7]          | holds [10,-1], expected a length and a count",
                "[[[10, 1, 1]], 7]        | holds [10,1,1], expected a length and a count",
                "[-1, 7]                  | is -1, expected a length or a list",
                "[[-10], 7]               | holds -10, no chunk length",
                "[[10], [7], [1]]         | has 3 entries, the array 2 dimensions",
            })
    void refuses(String chunkShapes, String problem) throws IOException {
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT.formatted(chunkShapes));
        FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    /** The maximum count of listed chunks, and the maximum length of a chunk. */
    @Test
    void acceptsTheLimitsThemselves() throws IOException {
        String many = DOCUMENT.replace("[10, 7]", "[4194304, 7]");
        Files.writeString(folder.resolve("zarr.json"), many.formatted("[[[1, 4194304]], 7]"));
        assertArrayEquals(new int[] {-1}, read(Selection.of("-1, 0")));
        String more = DOCUMENT.replace("[10, 7]", "[4194305, 7]");
        Files.writeString(folder.resolve("zarr.json"), more.formatted("[[[1, 4194305]], 7]"));
        FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains("more than 4194304 chunks"), e::getMessage);
        Files.writeString(
                folder.resolve("zarr.json"), DOCUMENT.formatted("[[10, 2305843009213693951], 7]"));
        engine.openArray(folder).close();
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT.formatted("[[10], [7]]"));
        engine.openArray(folder).close();
    }

    @Test
    void refusesChunksBeyond63Bits() throws IOException {
        String large = DOCUMENT.replace("[10, 7]", "[9223372036854775807, 1]");
        Files.writeString(
                folder.resolve("zarr.json"), large.formatted("[[[2305843009213693951, 5]], 1]"));
        FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains("covers more than 63 bits"), e::getMessage);
        // They end at the last position, so their size is the reason of the refusal.
        Files.writeString(
                folder.resolve("zarr.json"), large.formatted("[[[2305843009213693951, 4], 3], 1]"));
        e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains("too large"), e::getMessage);
    }

    @Test
    void refusesTooManyChunksBeforeListingThem() throws IOException {
        String large = DOCUMENT.replace("[10, 7]", "[1000000000000, 7]");
        Files.writeString(
                folder.resolve("zarr.json"), large.formatted("[[[1, 1000000000000]], 7]"));
        FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains("more than 4194304 chunks"), e::getMessage);
    }

    @Test
    void reportsTheLargestChunk() throws IOException {
        write("[[2, 5, 1, 4], [3, 3, 1]]");
        try (ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(new long[] {5, 3}, array.metadata().chunkShape());
            assertEquals(2, array.metadata().rank());
        }
    }
}
