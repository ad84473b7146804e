package io.zarrengine.cli;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests many reads at once: each is visited once, and none remains when one fails. */
final class CropRunTest {
    private static final int CROPS = 50;
    private static final int CROP_BYTES = 2 * 1000;

    @TempDir private Path folder;
    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeEach
    void open() {
        Path path =
                SmallArrays.counting(
                        folder.resolve("a"), new long[] {CROPS, 1000}, new long[] {1, 100});
        engine = ZarrEngine.open();
        array = engine.openArray(path);
    }

    @AfterEach
    void close() {
        array.close();
        engine.close();
    }

    private static List<Selection> rows() {
        return LongStream.range(0, CROPS)
                .mapToObj(row -> Selection.box(new long[] {row, 0}, new long[] {1, 1000}))
                .toList();
    }

    @Test
    void everyCropIsShownOnceAPass() {
        int[] seen = new int[CROPS];
        CropMeasure measure =
                new CropRun(engine, array, rows(), 7)
                        .run(
                                3,
                                (crop, elements) -> {
                                    seen[crop]++;
                                    assertEquals(CROP_BYTES, elements.byteSize());
                                    short first = elements.getAtIndex(JAVA_SHORT, 0);
                                    assertEquals((short) (1000 * crop), first);
                                });
        assertArrayEquals(IntStream.range(0, CROPS).map(i -> 3).toArray(), seen);
        assertEquals(3 * CROPS, measure.cropsPerSecond() * measure.wallSeconds(), 1e-6);
        assertEquals(3 * CROPS * 10, measure.reads());
        assertEquals(1.0, measure.decodeAmplification());
        assertTrue(measure.latencyMilliseconds(0.01) > 0, "one was never timed");
    }

    /** Large crops go to memory that is allocated once and reused. */
    @Test
    void largeCropsAreShownAsSmallOnes() {
        Path path =
                SmallArrays.counting(
                        folder.resolve("large"), new long[] {2500, 2000}, new long[] {500, 2000});
        Selection most = Selection.of(":2400");
        List<Selection> crops = List.of(Selection.all(), most, Selection.all(), most);
        int[] seen = new int[crops.size()];
        try (ZarrArray large = engine.openArray(path);
                HostTensor expected = large.read(Selection.all())) {
            new CropRun(engine, large, crops, 2)
                    .run(
                            2,
                            (crop, elements) -> {
                                seen[crop]++;
                                long bytes = large.bytesOf(crops.get(crop));
                                assertEquals(bytes, elements.byteSize());
                                MemorySegment part = expected.segment().asSlice(0, bytes);
                                assertEquals(-1, part.mismatch(elements));
                            });
        }
        assertArrayEquals(new int[] {2, 2, 2, 2}, seen);
    }

    /** The memory is freed after a failure, so all reads must have ended before. */
    @Test
    void theOthersHaveEndedWhenAVisitorFails() {
        CropRun run = new CropRun(engine, array, rows(), 40);
        IllegalStateException failure = new IllegalStateException("seen enough");
        assertEquals(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                run.run(
                                        1,
                                        (crop, elements) -> {
                                            throw failure;
                                        })));
        assertEquals(40L * CROP_BYTES, engine.metrics().bytesDelivered());
    }

    @Test
    void aFailedReadIsThrownAsItIs() throws IOException {
        Files.write(folder.resolve("a/c/49/9"), new byte[3]);
        CropRun run = new CropRun(engine, array, rows(), 8);
        int[] seen = new int[1];
        assertThrows(CorruptChunkException.class, () -> run.run(1, (crop, elements) -> seen[0]++));
        assertTrue(seen[0] < CROPS);
        new CropRun(engine, array, rows().subList(0, 10), 8).run(1, (crop, elements) -> {});
    }
}
