package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests pictures: their size, the place of each element, and the colours. */
final class RenderCommandTest {
    private static final float NAN = Float.NaN;

    @TempDir private Path folder;
    private Path results;
    private Path file;

    @BeforeEach
    void makeFolder() throws IOException {
        results = Files.createDirectory(folder.resolve("results"));
        file = results.resolve("p.png");
    }

    @Test
    void rowsGoDownAndColumnsToTheRight() throws IOException {
        Path array = SmallArrays.floats(folder.resolve("a"), new long[] {2, 3}, 0, 1, 2, 3, 4, 5);
        BufferedImage image = render(array, "--slice", "...", "--colormap", "gray");
        assertArrayEquals(
                new int[][] {{0x000000, 0x333333, 0x666666}, {0x999999, 0xcccccc, 0xffffff}},
                pixels(image));
    }

    @Test
    void whatIsNoNumberIsGreyAndTheRestKeepsItsRange() throws IOException {
        float infinity = Float.POSITIVE_INFINITY;
        Path array =
                SmallArrays.floats(
                        folder.resolve("a"), new long[] {1, 5}, -1, NAN, 1, infinity, -infinity);
        BufferedImage image = render(array, "--slice", ":,:");
        int low = 0x440154; // viridis
        int high = 0xfde725;
        assertArrayEquals(new int[][] {{low, Colormap.NAN_RGB, high, high, low}}, pixels(image));
    }

    @ParameterizedTest
    @CsvSource({
        "'1,3', 000000, 000000, 808080, ffffff, ffffff",
        "'3,1', ffffff, ffffff, 808080, 000000, 000000",
        "'2,2', 000000, 000000, 000000, ffffff, ffffff",
        "'-1e308,1e308', 808080, 808080, 808080, 808080, 808080",
    })
    void aRangeSetsTheEnds(String range, String a, String b, String c, String d, String e)
            throws IOException {
        Path array = SmallArrays.floats(folder.resolve("a"), new long[] {1, 5}, 0, 1, 2, 3, 4);
        BufferedImage image =
                render(array, "--slice", "...", "--colormap", "GRAY", "--range", range);
        int[] colours =
                Stream.of(a, b, c, d, e).mapToInt(hex -> Integer.parseInt(hex, 16)).toArray();
        assertArrayEquals(new int[][] {colours}, pixels(image));
    }

    @Test
    void indexesAndStepsChooseTheElements() throws IOException {
        Path array =
                SmallArrays.counting(
                        folder.resolve("a"), new long[] {2, 6, 1, 8}, new long[] {1, 4, 1, 8});
        BufferedImage image = render(array, "--slice", "1,::2,:,::4", "--colormap", "gray");
        assertEquals(2, image.getWidth());
        assertEquals(3, image.getHeight());
        int[][] pixels = pixels(image);
        assertEquals(0x000000, pixels[0][0]);
        assertEquals(0xffffff, pixels[2][1]);
    }

    @Test
    void aPictureWithoutAnyNumberIsGrey() throws IOException {
        Path array = SmallArrays.floats(folder.resolve("a"), new long[] {1, 2}, NAN, NAN);
        int grey = Colormap.NAN_RGB;
        assertArrayEquals(new int[][] {{grey, grey}}, pixels(render(array, "--slice", "...")));
    }

    @ParameterizedTest
    @CsvSource({
        "'0,0,:', no picture",
        "':,:,:', no picture",
        "'0:0,:,0', 1 to 268435456 pixels",
        "'0,9,9', index 9",
        "'x', is no selection of dimension 0",
    })
    void aRefusedPictureLeavesNoFile(String slice, String complaint) throws IOException {
        Path array =
                SmallArrays.counting(
                        folder.resolve("a"), new long[] {2, 3, 4}, new long[] {2, 3, 4});
        CommandRun.of("render", array, "--slice", slice, "--output", file).refused(complaint);
        assertEquals(List.of(), leftovers());
    }

    @Test
    void anotherEndingIsRefused() throws IOException {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {2, 3}, new long[] {2, 3});
        Path other = results.resolve("p.jpg");
        CommandRun.of("render", array, "--slice", "...", "--output", other).refused(".png");
        assertEquals(List.of(), leftovers());
    }

    @Test
    void tooManyPixelsAreRefused() throws IOException {
        Path array = SmallArrays.empty(folder.resolve("a"), NumericType.UINT8, 1L << 20, 1L << 20);
        CommandRun.of("render", array, "--slice", "...", "--output", file).refused("pixels");
        assertEquals(List.of(), leftovers());
    }

    private BufferedImage render(Path array, String... options) throws IOException {
        Object[] words =
                Stream.concat(Stream.of("render", array, "--output", file), Stream.of(options))
                        .toArray();
        assertEquals("", CommandRun.of(words).succeeded());
        assertEquals(List.of(file), leftovers());
        return ImageIO.read(file.toFile());
    }

    /** Returns red, green and blue of each pixel, rows first. */
    private static int[][] pixels(BufferedImage image) {
        int[][] pixels = new int[image.getHeight()][image.getWidth()];
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                pixels[y][x] = image.getRGB(x, y) & 0xffffff;
            }
        }
        return pixels;
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(results)) {
            return files.toList();
        }
    }
}
