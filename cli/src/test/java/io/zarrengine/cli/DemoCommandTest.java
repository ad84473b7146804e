package io.zarrengine.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the demo on a user's array. Its own sample is too large for a test; only its index is
 * tested.
 */
final class DemoCommandTest {
    @TempDir private Path folder;

    /** Runs the demo for the shortest useful time. */
    private static CommandRun demo(Object... arguments) {
        List<Object> words = new ArrayList<>(List.of("demo", "--seconds", "0.01"));
        words.addAll(List.of(arguments));
        return CommandRun.of(words.toArray());
    }

    /**
     * TensorStore gets the same crops in its own syntax. If it cannot read the array, it is left
     * out.
     */
    @Test
    void tensorStoreIsShownBesideWhereItReads() throws IOException {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {8, 8}, new long[] {8, 8});
        Path picture = folder.resolve("p.png");
        Path peer = folder.resolve("peer.sh");
        Files.writeString(
                peer,
                """
                test "$1" = %s && test "$(head -1 "$2")" = 0:8,0:8 && test "$3" = 0.01 &&
                    printf '9.9\\t2e9\\n'
                """
                        .formatted(array));
        String out =
                demo(array, "--output", picture, "--tensorstore=sh", "--tensorstore=" + peer)
                        .succeeded();
        assertTrue(out.contains("TensorStore   2.00 GB/s by release 9.9; the engine is "), out);
        out = demo(array, "--output", picture, "--tensorstore=false").succeeded();
        assertFalse(out.contains("TensorStore"), out);
    }

    @Test
    void aTimeThatIsNoneIsRefused() {
        CommandRun.of("demo", folder, "--seconds", "0").misused("--seconds must be more than 0");
    }

    /** The number and sizes of the chunks on which libzstd alone is measured. */
    @Test
    void theChunksOfAShardOfTheSampleAreFound() throws IOException {
        Path sample = folder.resolve("sample");
        Files.createDirectories(sample.resolve("c/0/0/0"));
        int count = 16 * 8 * 8;
        ByteBuffer shard = ByteBuffer.allocate(3 * count + 16 * count + 4).order(LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            shard.put(3 * i, (byte) i);
            shard.putLong(3 * count + 16 * i, 3L * i).putLong(3 * count + 16 * i + 8, 1 + i % 3);
        }
        Files.write(sample.resolve("c/0/0/0/0"), shard.array());
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> chunks = DemoSample.encodedChunks(sample, arena);
            assertEquals(count, chunks.size());
            for (int i = 0; i < count; i++) {
                assertEquals(1 + i % 3, chunks.get(i).byteSize());
                assertEquals((byte) i, chunks.get(i).get(JAVA_BYTE, 0));
            }
        }
    }

    @Test
    void readsCropsAndDrawsAPicture() throws IOException {
        Path array =
                SmallArrays.countingShards(
                        folder.resolve("a"),
                        new long[] {3, 32, 48},
                        new long[] {3, 16, 16},
                        new long[] {1, 8, 8});
        Path picture = folder.resolve("p.png");
        String out = demo(array, "--output", picture).succeeded();
        List<String> labels = out.lines().map(line -> line.substring(0, 13).strip()).toList();
        assertEquals(
                List.of(
                        "engine",
                        "array",
                        "first second",
                        "warm second",
                        "limit",
                        "picture",
                        "next",
                        "",
                        ""),
                labels);
        assertTrue(out.contains("/s of crops of [2, 16, 16] at random, 8 at a time"), out);
        assertTrue(out.contains("/s: a copy in memory; the engine reaches "), out);
        BufferedImage image = ImageIO.read(picture.toFile());
        assertEquals(48, image.getWidth());
        assertEquals(32, image.getHeight());
    }

    @Test
    void whatHasNoPictureIsStillRead() {
        Path picture = folder.resolve("p.png");
        Path line = SmallArrays.counting(folder.resolve("a"), new long[] {5}, new long[] {2});
        Path point = SmallArrays.empty(folder.resolve("b"), NumericType.INT8);
        Path nothing = SmallArrays.empty(folder.resolve("c"), NumericType.INT8, 0, 3);
        for (Path array : List.of(line, point, nothing)) {
            String out = demo(array, "--output", picture).succeeded();
            assertTrue(out.contains("picture       none"), out);
            assertFalse(out.contains("NaN"), out);
        }
        assertFalse(Files.exists(picture));
    }

    @Test
    void aPictureThatCannotBeWrittenIsRefusedBeforeAnythingIsRead() {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {8, 8}, new long[] {2, 2});
        demo(array, "--output", folder.resolve("no/p.png")).refused("there is no such folder");
    }

    @Test
    void aDamagedArrayIsRefused() throws IOException {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {8, 8}, new long[] {2, 2});
        Files.write(array.resolve("c/1/1"), new byte[3]);
        CommandRun run = demo(array, "--output", folder.resolve("p.png"));
        assertEquals(1, run.status());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("has 3 bytes, expected 8"), run.err());
    }

    /** The check of the sample must detect a wrong element. */
    @Test
    void theCheckOfTheSampleSeesAWrongElement() {
        long[] offset = {3, 500, 7, 0};
        long[] crop = DemoSample.CROP;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment elements =
                    arena.allocate(JAVA_SHORT, crop[0] * crop[1] * crop[2] * crop[3]);
            for (long i = 0; i < elements.byteSize() / Short.BYTES; i++) {
                long band = i % crop[3];
                long x = i / crop[3] % crop[2];
                long y = i / crop[3] / crop[2] % crop[1];
                long time = i / crop[3] / crop[2] / crop[1];
                short value = DemoSample.value(3 + time, 500 + y, 7 + x, band);
                elements.setAtIndex(JAVA_SHORT, i, value);
            }
            DemoSample.check(offset, elements);
            long last = elements.byteSize() / Short.BYTES - 1;
            long checked = last - last % 499;
            short right = elements.getAtIndex(JAVA_SHORT, checked);
            elements.setAtIndex(JAVA_SHORT, checked, (short) (right + 1));
            assertThrows(AssertionError.class, () -> DemoSample.check(offset, elements));
        }
    }
}
