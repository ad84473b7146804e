package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.zarr.datatype.NumericType;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Futures of several reads whose ends a test brings about; their tensors have no memory to free.
 */
@Timeout(60)
final class DeviceReadFuturesTest {
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
        ReadFuture<List<DeviceTensor>> all = DeviceReadFutures.ofAll(List.of(first, second));
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
        ReadFuture<List<DeviceTensor>> all = DeviceReadFutures.ofAll(List.of(first, second));
        IllegalStateException failure = new IllegalStateException("first");
        first.end(DeviceReadFuturesTest::unexpected, failure);
        assertInstanceOf(CancellationException.class, givenUp.get());
        assertFalse(all.isDone());
        second.end(DeviceReadFuturesTest::unexpected, givenUp.get());
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
    }

    /** Otherwise who waits would wait for ever, and the other tensors would not be closed. */
    @Test
    void aTensorThatCannotBeClosedDoesNotKeepTheFutureOpen() {
        ReadFuture<List<DeviceTensor>> all = DeviceReadFutures.ofAll(List.of(first, second));
        first.end(DeviceReadFuturesTest::tensor, null);
        IllegalStateException failure = new IllegalStateException("second");
        second.end(DeviceReadFuturesTest::unexpected, failure);
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
        assertEquals(1, failure.getSuppressed().length);
    }
}
