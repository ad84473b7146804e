package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.uring.reading.ReadFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Combined futures of several device reads, which the test completes; their results are numbers.
 * Fails if a result leaks, or if the future completes while a read may still write.
 */
@Timeout(60)
final class DeviceReadFuturesTest {
    private final AtomicReference<RuntimeException> givenUp = new AtomicReference<>();
    private final ReadFuture<Integer> first = new ReadFuture<>(reason -> {});
    private final ReadFuture<Integer> second = new ReadFuture<>(givenUp::set);
    private final List<Integer> freed = new ArrayList<>();

    private ReadFuture<List<Integer>> both() {
        return DeviceReadFutures.ofAll(List.of(first, second), freed::add);
    }

    /** Result of a read that fails. */
    private static int unexpected() {
        throw new AssertionError("a result was asked for");
    }

    @Test
    void returnsAllResultsInOrder() {
        ReadFuture<List<Integer>> all = both();
        second.end(() -> 2, null);
        assertFalse(all.isDone());
        first.end(() -> 1, null);
        assertEquals(List.of(1, 2), all.join());
        assertEquals(List.of(), freed);
    }

    /** The second read may still write, so the future must wait for it. */
    @Test
    void cancelsAndAwaitsTheOtherReadsWhenOneFails() {
        ReadFuture<List<Integer>> all = both();
        IllegalStateException failure = new IllegalStateException("first");
        first.end(DeviceReadFuturesTest::unexpected, failure);
        assertInstanceOf(CancellationException.class, givenUp.get());
        assertFalse(all.isDone());
        second.end(DeviceReadFuturesTest::unexpected, givenUp.get());
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
        assertEquals(List.of(), freed);
    }

    /** Nobody else holds the other result. */
    @Test
    void freesTheOtherResultWhenOneReadFails() {
        ReadFuture<List<Integer>> all = both();
        first.end(() -> 1, null);
        second.end(DeviceReadFuturesTest::unexpected, new IllegalStateException("second"));
        assertThrows(CompletionException.class, all::join);
        assertEquals(List.of(1), freed);
    }

    /** Otherwise a waiting caller would wait for ever, and the other results would leak. */
    @Test
    void completesWhenAResultCannotBeFreed() {
        ReadFuture<List<Integer>> all =
                DeviceReadFutures.ofAll(
                        List.of(first, second),
                        result -> {
                            throw new IllegalStateException("in use");
                        });
        first.end(() -> 1, null);
        IllegalStateException failure = new IllegalStateException("second");
        second.end(DeviceReadFuturesTest::unexpected, failure);
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
        assertEquals(1, failure.getSuppressed().length);
    }
}
