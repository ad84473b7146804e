package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * 300,000 crops in one read on a heap of 24 MiB. Fails if the whole plan, or all chunks under way,
 * are in memory at once. It took 100 MiB when workers ran ahead through the slices of the plan.
 */
@Tag("other-jvm")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PlanMemoryTest {
    private static final int SIDE = 128;
    private static final int CROP = 4;
    private static final int CROPS = 300_000;
    private static final int DISTINCT = 1000;

    @TempDir private Path folder;

    @Test
    void needsFarLessMemoryThanTheWholePlan() throws Exception {
        List<String> said = SmallHeap.read(folder, SIDE, 16, 24, Reader.class);
        String[] numbers = OtherJvm.resultOf(said).split(" ");
        assertEquals("-1", numbers[0], said::toString);
        long decoded = Long.parseLong(numbers[1]);
        assertTrue(decoded < 100 * 512, () -> decoded + " for 512 chunks: too many slices");
    }

    /**
     * Main class of the other JVM. It prints the index of the first wrong element, or -1, and the
     * count of decoded chunks.
     */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) {
            SplittableRandom random = new SplittableRandom(1);
            Selection[] crops = new Selection[CROPS];
            long[] shape = {CROP, CROP, CROP};
            for (int i = 0; i < CROPS; i++) {
                crops[i] =
                        i < DISTINCT
                                ? Selection.box(random.longs(3, 0, SIDE - CROP).toArray(), shape)
                                : crops[i % DISTINCT];
            }
            Path path = Path.of(arguments[0], "array");
            try (ZarrEngine engine = ZarrEngine.builder().workers(2).budgetBytes(64 << 20).open();
                    ZarrArray array = engine.openArray(path);
                    Arena arena = Arena.ofShared()) {
                MemorySegment target = arena.allocate((long) CROPS * CROP * CROP * CROP);
                array.readAsync(Arrays.asList(crops), target).join();
                MemorySegment ones = arena.allocate(target.byteSize()).fill((byte) 1);
                long wrong = target.mismatch(ones);
                OtherJvm.printResult(wrong + " " + engine.metrics().chunksDecoded());
            }
        }
    }
}
