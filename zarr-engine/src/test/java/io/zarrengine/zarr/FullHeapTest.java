package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.EngineFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests reads of a JVM whose heap is really full. Each read ends, and what hangs on it runs. The
 * engine closes, and another one works when there is memory again.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullHeapTest {
    private static final int SIDE = 64;

    @TempDir private Path folder;

    /** Catches reads that are lost when the callers fill the heap. */
    @Test
    void readsEndWhenCallersFillTheHeap() throws Exception {
        check(SmallHeap.read(folder, SIDE, 16, 26, ManyReads.class), 1000);
    }

    /** Catches reads that are lost when the workers fill the heap: 7 MB for each of them. */
    @Test
    void readsEndWhenWorkersFillTheHeap() throws Exception {
        List<String> numbers = check(SmallHeap.read(folder, SIDE, 2, 14, LargeReads.class), 1);
        assertEquals("failed", numbers.get(2), "the heap was not full");
    }

    private static List<String> check(List<String> said, int readsMin) {
        List<String> numbers = List.of(said.getLast().split(" "));
        assertTrue(Integer.parseInt(numbers.get(0)) >= readsMin, said::toString);
        assertEquals("0", numbers.get(1), said::toString);
        return numbers;
    }

    /** Small reads, until the heap is full of them. */
    static final class ManyReads {
        private ManyReads() {}

        public static void main(String[] arguments) throws InterruptedException {
            new Reader(Selection.of("0, :40, :40"), Integer.MAX_VALUE).run(arguments[0]);
        }
    }

    /** Reads that do not fit the heap together. */
    static final class LargeReads {
        private LargeReads() {}

        public static void main(String[] arguments) throws InterruptedException {
            new Reader(Selection.all(), 16).run(arguments[0]);
        }
    }

    /**
     * The program of the other JVM. It prints how many reads it began, how many of them were lost,
     * and whether the engine has failed.
     */
    private static final class Reader {
        private static final int REFUSED_MAX = 12;
        private static final int PLACES = 16;
        private static final long WAIT_NANOS = 20_000_000_000L;

        private final Selection selection;
        private final int readsMax;
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicInteger wrong = new AtomicInteger();
        private int reads;
        private volatile boolean hasFailed;

        Reader(Selection selection, int readsMax) {
            this.selection = selection;
            this.readsMax = readsMax;
        }

        void run(String folder) throws InterruptedException {
            Path path = Path.of(folder, "array");
            try (ZarrEngine engine = open();
                    ZarrArray array = engine.openArray(path);
                    Arena arena = Arena.ofShared()) {
                long bytes = array.bytesOf(selection);
                MemorySegment target = arena.allocate(PLACES * bytes);
                start(array, target.asSlice(0, bytes)).join(); // Loads classes while there is room.
                ended(target, new EngineFailedException("none", null));
                hasFailed = false;
                told.set(1);
                fillHeap(array, target, bytes);
                long begin = System.nanoTime();
                while (told.get() < reads && System.nanoTime() - begin < WAIT_NANOS) {
                    Thread.sleep(10);
                }
            }
            try (ZarrEngine engine = open();
                    ZarrArray array = engine.openArray(path);
                    HostTensor tensor = array.read(Selection.of("0, 0"))) {
                checkOnes(tensor.segment());
            }
            int lost = Math.max(0, reads - told.get()) + wrong.get();
            IO.println(reads + " " + lost + " " + (hasFailed ? "failed" : "works"));
        }

        private static ZarrEngine open() {
            return ZarrEngine.builder().workers(2).budgetBytes(64 << 20).open();
        }

        private static void checkOnes(MemorySegment read) {
            for (byte value : read.toArray(JAVA_BYTE)) {
                if (value != 1) {
                    throw new AssertionError("wrong data");
                }
            }
        }

        /** When this returns, all that the reads hold is free, and some more. */
        private void fillHeap(ZarrArray array, MemorySegment target, long bytes) {
            byte[] reserve = new byte[3 << 20];
            List<CompletableFuture<Void>> all = new ArrayList<>();
            int refused = -1;
            while (refused < REFUSED_MAX && all.size() < readsMax) {
                try {
                    if (refused < 0) {
                        throw new OutOfMemoryError("loads the class while there is room");
                    }
                    MemorySegment place = target.asSlice(all.size() % PLACES * bytes, bytes);
                    all.add(start(array, place));
                } catch (OutOfMemoryError e) {
                    refused++;
                } catch (EngineFailedException e) {
                    hasFailed = true;
                    break;
                }
            }
            reads += reserve[0]; // It is 0. Links no method, as a fence would.
        }

        private CompletableFuture<Void> start(ZarrArray array, MemorySegment place) {
            CompletableFuture<Void> read = array.readAsync(selection, place);
            CompletableFuture<Void> ended =
                    read.whenComplete((_, failure) -> ended(place, failure));
            reads++;
            return ended;
        }

        private void ended(MemorySegment place, Throwable failure) {
            if (failure instanceof EngineFailedException) {
                hasFailed = true;
            } else if (failure != null || place.get(JAVA_BYTE, place.byteSize() - 1) != 1) {
                wrong.incrementAndGet();
            }
            told.incrementAndGet();
        }
    }
}
