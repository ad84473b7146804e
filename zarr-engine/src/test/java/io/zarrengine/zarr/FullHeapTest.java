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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads while the heap is full. Each of them ends, what hangs on it runs as soon as there is memory
 * again, and one that ends well has all of its data.
 */
@Tag("other-jvm")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullHeapTest {
    private static final long WAIT_NANOS = 100_000_000_000L;

    @TempDir private Path folder;

    /** Fills the heap with small reads. Dozens of 18,000 were never told of. */
    @Test
    void whatHangsOnAReadRunsWhenThereIsMemoryAgainAndTheEngineCloses() throws Exception {
        List<String> said = SmallHeap.read(folder, 64, 16, 26, Reader.class);
        String[] numbers = OtherJvm.resultOf(said).split(" ");
        assertTrue(Integer.parseInt(numbers[0]) > 1000, said::toString);
        assertEquals("0", numbers[1], said::toString);
    }

    /**
     * The workers fill the heap: the plan of a shard of 32,768 chunks takes some 7 MB. Catches a
     * part that is lost, whose read never ends, or ends well without it.
     */
    @Test
    void noReadEndsWellWithoutAllOfItsData() throws Exception {
        List<String> said = SmallHeap.read(folder, 128, 2, 17, LargeReads.class);
        String[] numbers = OtherJvm.resultOf(said).split(" ");
        assertEquals("0", numbers[0], () -> "never ended: " + said);
        assertEquals("0", numbers[1], () -> "lacks data: " + said);
        assertTrue(Integer.parseInt(numbers[2]) > 0, () -> "the heap was not full: " + said);
    }

    /**
     * A JVM whose first virtual thread finds a full heap can never start one. An option breaks them
     * in the same way. Catches a completion that needs one.
     */
    @Test
    void readsCompleteInAJvmThatCannotStartVirtualThreads() throws Exception {
        String noThreads = "-Djdk.virtualThreadScheduler.parallelism=none";
        List<String> said = SmallHeap.read(folder, 64, 16, 64, DependentRead.class, noThreads);
        assertEquals("none started, read completed", OtherJvm.resultOf(said), said::toString);
    }

    /**
     * A full heap may stop all virtual threads of a JVM. A virtual thread that never leaves the
     * only carrier does the same. Catches a second attempt on another virtual thread.
     */
    @Test
    void readsCompleteInAJvmWhoseVirtualThreadsNeverRun() throws Exception {
        List<String> said =
                SmallHeap.read(
                        folder,
                        64,
                        16,
                        64,
                        DependentRead.class,
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-Dbusy=true");
        assertEquals("one started, read completed", OtherJvm.resultOf(said), said::toString);
    }

    /** The program of the other JVM: reads with a dependent stage. */
    static final class DependentRead {
        private DependentRead() {}

        public static void main(String[] arguments) throws Exception {
            boolean isStarted = true;
            try {
                Thread.startVirtualThread(() -> {
                    while (Boolean.getBoolean("busy")) {
                        Thread.onSpinWait();
                    }
                });
            } catch (LinkageError e) {
                isStarted = false;
            }
            try (ZarrEngine engine = ZarrEngine.open();
                    ZarrArray array = engine.openArray(Path.of(arguments[0], "array"))) {
                array.readAsync(Selection.all())
                        .thenAccept(result -> result.close())
                        .get(100, TimeUnit.SECONDS);
            }
            OtherJvm.printResult((isStarted ? "one" : "none") + " started, read completed");
        }
    }

    /** The program of the other JVM: prints how many reads it began, and how many were lost. */
    static final class Reader {
        private static final int REFUSED_MAX = 12;
        private static final int PLACES = 16;

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
                OtherJvm.printResult(reads + " " + Math.max(0, reads - told.get()));
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

    /**
     * The program of the other JVM: prints how many reads never ended, ended without all of their
     * data, and failed. Afterwards another engine works.
     */
    static final class LargeReads {
        private static final int READS = 6;

        private LargeReads() {}

        public static void main(String[] arguments) throws InterruptedException {
            Path path = Path.of(arguments[0], "array");
            try (Arena arena = Arena.ofShared()) {
                try (ZarrEngine engine =
                                ZarrEngine.builder().workers(4).budgetBytes(64 << 20).open();
                        ZarrArray array = engine.openArray(path)) {
                    OtherJvm.printResult(count(array, arena));
                }
                try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                        ZarrArray array = engine.openArray(path)) {
                    array.read(Selection.of("0, 0")).close();
                }
            }
        }

        private static String count(ZarrArray array, Arena arena) throws InterruptedException {
            long bytes = array.bytesOf(Selection.all());
            MemorySegment target = arena.allocate(READS * bytes);
            MemorySegment ones = arena.allocate(bytes).fill((byte) 1);
            // Loads classes while there is room.
            array.readAsync(Selection.of("0, 0"), target.asSlice(0, 128)).join();
            target.fill((byte) 0);
            List<CompletableFuture<Void>> reads = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                MemorySegment place = target.asSlice(i * bytes, bytes);
                reads.add(begin(array, place));
            }
            awaitWithoutMemory(reads);
            int lost = 0;
            int wrong = 0;
            int failed = 0;
            for (int i = 0; i < READS; i++) {
                CompletableFuture<Void> read = reads.get(i);
                boolean isWhole = target.asSlice(i * bytes, bytes).mismatch(ones) < 0;
                lost += read.isDone() ? 0 : 1;
                failed += read.isCompletedExceptionally() ? 1 : 0;
                wrong += read.isDone() && !read.isCompletedExceptionally() && !isWhole ? 1 : 0;
            }
            return lost + " " + wrong + " " + failed;
        }

        private static void awaitWithoutMemory(List<CompletableFuture<Void>> reads) {
            long begin = System.nanoTime();
            for (int i = 0; i < READS; i++) {
                while (!reads.get(i).isDone() && System.nanoTime() - begin < WAIT_NANOS) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
        }

        /** The earlier reads may leave this thread no memory either. */
        private static CompletableFuture<Void> begin(ZarrArray array, MemorySegment place) {
            try {
                return array.readAsync(Selection.all(), place);
            } catch (OutOfMemoryError e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }
}
