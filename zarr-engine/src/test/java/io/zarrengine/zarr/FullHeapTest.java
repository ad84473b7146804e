package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that end while the heap is full, and nobody waits for them: what hangs on them runs as soon
 * as there is memory again. Dozens of 18,000 were never told of, until somebody asked.
 */
@Tag("other-jvm")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullHeapTest {
    private static final int SIDE = 64;

    @TempDir private Path folder;

    @Test
    void whatHangsOnAReadRunsWhenThereIsMemoryAgainAndTheEngineCloses() throws Exception {
        List<String> said = SmallHeap.read(folder, SIDE, 26, Reader.class);
        String[] numbers = said.getLast().split(" ");
        assertTrue(Integer.parseInt(numbers[0]) > 1000, said::toString);
        assertEquals("0", numbers[1], said::toString);
    }

    /** What the other JVM runs: prints how many reads it began, and how many were lost. */
    static final class Reader {
        private static final int REFUSED_MAX = 12;
        private static final int PLACES = 16;
        private static final long WAIT_NANOS = 10_000_000_000L;

        private Reader() {}

        public static void main(String[] arguments) throws InterruptedException {
            Path path = Path.of(arguments[0], "array");
            Selection most = Selection.of("0, :40, :40");
            AtomicInteger told = new AtomicInteger();
            try (ZarrEngine engine = ZarrEngine.builder().workers(2).budgetBytes(64 << 20).open();
                    ZarrArray array = engine.openArray(path);
                    Arena arena = Arena.ofShared()) {
                long bytes = array.bytesOf(most);
                MemorySegment target = arena.allocate(PLACES * bytes);
                array.readAsync(most).whenComplete((result, _) -> result.close()).join();
                int reads = fillHeap(array, most, target, told);
                long begin = System.nanoTime();
                while (told.get() < reads && System.nanoTime() - begin < WAIT_NANOS) {
                    Thread.sleep(10);
                }
                IO.println(reads + " " + Math.max(0, reads - told.get()));
            }
        }

        /** Returns how many reads have begun; all that they hold, and some more, is free then. */
        private static int fillHeap(
                ZarrArray array, Selection box, MemorySegment target, AtomicInteger told) {
            long bytes = array.bytesOf(box);
            byte[] reserve = new byte[3 << 20];
            List<CompletableFuture<Void>> reads = new ArrayList<>();
            int refused = 0;
            try {
                while (refused < REFUSED_MAX) {
                    try {
                        MemorySegment place = target.asSlice(reads.size() % PLACES * bytes, bytes);
                        CompletableFuture<Void> read = array.readAsync(box, place);
                        var _ = read.whenComplete((_, _) -> told.incrementAndGet());
                        reads.add(read);
                    } catch (OutOfMemoryError e) {
                        refused++;
                    }
                }
            } finally {
                Reference.reachabilityFence(reserve);
            }
            return reads.size();
        }
    }
}
