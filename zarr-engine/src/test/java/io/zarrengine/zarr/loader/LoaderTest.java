package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader with reads that the test completes. Fails if the loader skips or repeats a step, reads
 * too far ahead, or leaks a tensor.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoaderTest {
    @TempDir private static Path folder;

    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.INT16, 4).build();
        var _ = engine.createArray(folder.resolve("array"), metadata);
        array = engine.openArray(folder.resolve("array"));
    }

    @AfterAll
    void close() {
        array.close();
        engine.close();
    }

    /** Reads that the test completes. */
    private final class Reads {
        final List<CompletableFuture<String>> begun = new ArrayList<>();
        final List<String> released = new ArrayList<>();
        private boolean endsAtOnce;

        Loader<String> loader(int prefetch, int count) {
            return loader(prefetch, count, 1);
        }

        Loader<String> loader(int prefetch, int count, int arrays) {
            Sampler sampler = Sampler.of(Collections.nCopies(count, Selection.all()));
            List<Variable> variables =
                    IntStream.range(0, arrays)
                            .mapToObj(i -> new Variable("array " + i, array, sampler))
                            .toList();
            StepPlan plan = new StepPlan(count, 1, 1, 0, 1, EpochEnd.PARTIAL);
            ArrayReads<String> source =
                    new ArrayReads<>(
                            Collections.nCopies(arrays, _ -> begin()),
                            released::add,
                            () -> released.add("the memory"));
            LoaderSteps steps = new LoaderSteps(variables, plan, SampleOrder.SEQUENTIAL, false);
            return new Loader<>(steps, source, prefetch, LoaderState.START);
        }

        private CompletableFuture<String> begin() {
            CompletableFuture<String> read = new CompletableFuture<>();
            begun.add(read);
            if (endsAtOnce) {
                end(begun.size() - 1);
            }
            return read;
        }

        /** Completes all reads that have begun, and all later ones at once. */
        void endAtOnce() {
            endsAtOnce = true;
            end(IntStream.range(0, begun.size()).toArray());
        }

        void end(int... reads) {
            Arrays.stream(reads).forEach(read -> begun.get(read).complete("read " + read));
        }
    }

    /** There are never more tensors than those read ahead and the caller's one. */
    @ParameterizedTest(name = "prefetch {0}")
    @ValueSource(ints = {0, 1, 3, 20, Integer.MAX_VALUE})
    void readsAheadUpToThePrefetch(int prefetch) {
        Reads reads = new Reads();
        int count = 10;
        try (Loader<String> loader = reads.loader(prefetch, count)) {
            assertEquals(Math.min(prefetch, count), reads.begun.size());
            reads.endAtOnce();
            int step = 0;
            for (Batch<String> batch : loader) {
                assertEquals("read " + step, batch.tensor());
                assertEquals(step, reads.released.size());
                step++;
                assertEquals(Math.min(count, (long) step + prefetch), reads.begun.size());
                assertEquals(batch.next(), loader.state());
            }
            assertEquals(count, step);
            assertEquals(new LoaderState(1, 0), loader.state());
        }
        assertEquals(count + 1, reads.released.size());
    }

    /** A read that failed may succeed the second time. */
    @Test
    void readsAFailedStepAgain() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(1, 3)) {
            reads.begun.getFirst().completeExceptionally(new IllegalStateException("a bad cable"));
            reads.endAtOnce();
            assertThrows(IllegalStateException.class, loader.iterator()::next);
            assertEquals(LoaderState.START, loader.state());
            assertEquals("read 2", loader.iterator().next().tensor()); // the third that was begun
            assertEquals(new LoaderState(0, 1), loader.state());
        }
    }

    /** If one array fails, the other arrays of the step are read again, and none leaks. */
    @Test
    void closesTheOtherTensorsOfAFailedStep() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(1, 2, 3)) {
            reads.end(0);
            reads.begun.get(1).completeExceptionally(new IllegalStateException("a bad cable"));
            Iterator<Batch<String>> batches = loader.iterator();
            assertThrows(IllegalStateException.class, batches::next);
            reads.endAtOnce();
            Batch<String> again = batches.next();
            assertTrue(reads.begun.get(2).isDone());
            assertEquals(List.of("read 0", "read 2"), reads.released.stream().sorted().toList());
            assertEquals(
                    List.of("array 0", "array 1", "array 2"),
                    List.copyOf(again.tensors().keySet()));
            assertThrows(IllegalStateException.class, again::tensor);
            assertThrows(NoSuchElementException.class, () -> again.get("array 3"));
            again.close();
            again.close(); // does nothing
            assertEquals(5, reads.released.size());
            batches.next();
        }
        assertEquals(9, reads.released.size());
    }

    /** A skipped step is cancelled, and its tensor is closed if it has been read. */
    @Test
    void closesSkippedSteps() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(2, 4)) {
            reads.end(0);
            loader.skip();
            assertEquals(List.of("read 0"), reads.released);
            loader.skip();
            assertTrue(reads.begun.get(1).isCancelled());
            loader.skip(); // was not begun
            assertEquals(2, reads.begun.size());
            reads.endAtOnce();
            assertEquals("read 2", loader.iterator().next().tensor());
            assertFalse(loader.hasNext());
            assertThrows(NoSuchElementException.class, loader::skip);
        }
    }

    @Test
    void losesNoStepOnAnInterrupt() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(2, 3)) {
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, loader.iterator()::next);
            assertTrue(Thread.interrupted());
            assertEquals(LoaderState.START, loader.state());
            reads.end(0, 1);
            assertEquals("read 0", loader.iterator().next().tensor());
            assertEquals("read 1", loader.iterator().next().tensor());
            assertEquals(List.of("read 0"), reads.released);
        }
    }

    /** An interrupt ends a loop at the next step, though hundreds of steps are ready. */
    @Test
    void endsAtTheNextStepOnAnInterruptWhileStepsAreReady() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(100, 200)) {
            reads.endAtOnce();
            Iterator<Batch<String>> batches = loader.iterator();
            batches.next();
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, batches::next);
            assertTrue(Thread.interrupted());
            assertEquals(List.of("read 0"), reads.released);
            assertEquals("read 1", batches.next().tensor());
        }
    }

    /** Fault: who takes only what is ready waits for a part of it, or never takes a failure. */
    @Test
    void isReadyOnceAllPartsOfTheNextBatchHaveEnded() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(2, 3, 2)) {
            assertFalse(loader.isReady());
            reads.end(0, 2, 3); // one of two arrays, and the batch after it
            assertFalse(loader.isReady());
            reads.begun.get(1).completeExceptionally(ClosedException.ofEngine());
            assertTrue(loader.isReady());
            assertThrows(ClosedException.class, loader::take);
            loader.skip();
            assertTrue(loader.isReady());
            loader.take();
            assertFalse(loader.isReady());
        }
    }

    /** Nothing is ready that was not read ahead. */
    @Test
    void isNotReadyWithoutReadingAhead() {
        try (Loader<String> loader = new Reads().loader(0, 1)) {
            assertFalse(loader.isReady());
        }
    }

    /** A wait for a read that does not end is interrupted too. */
    @Test
    void anInterruptEndsAWait() throws InterruptedException {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(1, 3)) {
            List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
            Thread loop =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    loader.iterator().next();
                                } catch (CancellationException e) {
                                    thrown.add(e);
                                }
                            });
            while (loop.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            loop.interrupt();
            loop.join();
            assertEquals(1, thrown.size());
            reads.endAtOnce();
            assertEquals("read 0", loader.iterator().next().tensor());
        }
    }

    /** Tensors of completed and late reads are closed; the other reads are cancelled. */
    @Test
    void closesAndCancelsAllReadsOnClose() {
        Reads reads = new Reads();
        Loader<String> loader = reads.loader(3, 9);
        reads.end(0, 2);
        assertEquals("read 0", loader.iterator().next().tensor());
        loader.close();
        assertEquals(List.of("read 0", "read 2", "the memory"), reads.released);
        assertTrue(reads.begun.get(1).isCancelled());
        assertTrue(reads.begun.get(3).isCancelled());
        loader.close(); // once more: there may be memory left
        assertEquals(List.of("read 0", "read 2", "the memory", "the memory"), reads.released);
        assertThrows(IllegalStateException.class, loader.iterator()::next);
        assertEquals(4, reads.begun.size());
    }

    @Test
    void refusesASecondLoop() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(1, 2)) {
            reads.endAtOnce();
            assertEquals(2, loader.stream().count());
            assertThrows(IllegalStateException.class, loader::iterator);
        }
    }

    /** A stream delivers batches one by one, and closes the loader. */
    @Test
    void streams() {
        Reads reads = new Reads();
        try (Loader<String> loader = reads.loader(2, 5)) {
            reads.endAtOnce();
            try (var batches = loader.stream()) {
                List<String> some = batches.limit(3).map(Batch::tensor).toList();
                assertEquals(List.of("read 0", "read 1", "read 2"), some);
            }
            assertEquals("the memory", reads.released.getLast());
            assertThrows(IllegalStateException.class, loader.iterator()::next);
        }
    }
}
