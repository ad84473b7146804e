package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures of reads whose ends a test brings about; their tensors have no memory to free. */
@Timeout(60)
final class ReadFutureTest {
    private final AtomicReference<RuntimeException> givenUp = new AtomicReference<>();
    private final ReadFuture<DeviceTensor> first = new ReadFuture<>(reason -> {});
    private final ReadFuture<DeviceTensor> second = new ReadFuture<>(givenUp::set);

    /** Closing it throws: there is no memory. */
    private static DeviceTensor tensor() {
        return new DeviceTensor(null, 0, NumericType.INT32, new long[] {1});
    }

    /** The result of a read that fails. */
    private static DeviceTensor unexpected() {
        throw new AssertionError("a result was asked for");
    }

    @Test
    void allReadsTogetherBringTheirTensorsInOrder() {
        ReadFuture<List<DeviceTensor>> all = ReadFuture.ofAll(List.of(first, second));
        DeviceTensor one = tensor();
        DeviceTensor two = tensor();
        second.end(() -> two, null);
        assertFalse(all.isDone());
        first.end(() -> one, null);
        assertEquals(List.of(one, two), all.join());
    }

    /** The second one may still write: the future must wait for it. */
    @Test
    void whenOneReadFailsTheOthersAreGivenUpAndWaitedFor() {
        ReadFuture<List<DeviceTensor>> all = ReadFuture.ofAll(List.of(first, second));
        IllegalStateException failure = new IllegalStateException("first");
        first.end(ReadFutureTest::unexpected, failure);
        assertInstanceOf(CancellationException.class, givenUp.get());
        assertFalse(all.isDone());
        second.end(ReadFutureTest::unexpected, givenUp.get());
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
    }

    /** Otherwise who waits would wait for ever, and the other tensors would not be closed. */
    @Test
    void aTensorThatCannotBeClosedDoesNotKeepTheFutureOpen() {
        ReadFuture<List<DeviceTensor>> all = ReadFuture.ofAll(List.of(first, second));
        first.end(ReadFutureTest::tensor, null);
        IllegalStateException failure = new IllegalStateException("second");
        second.end(ReadFutureTest::unexpected, failure);
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
        assertEquals(1, failure.getSuppressed().length);
    }

    @Test
    void aResultThatCannotBeMadeIsAFailure() {
        IllegalStateException failure = new IllegalStateException("no result");
        first.end(
                () -> {
                    throw failure;
                },
                null);
        assertSame(failure, assertThrows(CompletionException.class, first::join).getCause());
    }

    @Test
    void noCallerMakesItSayThatItEndedBeforeItDid() {
        assertThrows(UnsupportedOperationException.class, () -> first.obtrudeValue(null));
        Exception failure = new IllegalStateException();
        assertThrows(UnsupportedOperationException.class, () -> first.obtrudeException(failure));
        assertFalse(first.isDone());
    }

    /** Many reads with long deadlines would pile up otherwise. */
    @Test
    void aDeadlineForgetsAReadThatHasEnded() throws InterruptedException {
        WeakReference<CompletableFuture<String>> read =
                new WeakReference<>(endedReadWithDeadlines());
        while (read.get() != null) { // Until the test takes too long.
            System.gc();
            Thread.sleep(10);
        }
    }

    private static CompletableFuture<String> endedReadWithDeadlines() {
        ReadFuture<String> read = new ReadFuture<>(reason -> {});
        CompletableFuture<String> same =
                read.orTimeout(1, TimeUnit.HOURS).completeOnTimeout("late", 1, TimeUnit.HOURS);
        assertSame(read, same);
        read.end(() -> "in time", null);
        assertEquals("in time", read.join());
        assertTrue(read.isDone());
        return read;
    }
}
