package io.zarrengine.zarr.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.uring.reading.ReadFuture;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
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

    /** Fault: device memory leaks for which no tensor could be made. */
    @Test
    void freesMemoryThatBecomesNoResult() {
        List<String> calls = new CopyOnWriteArrayList<>();
        DeviceMemory memory =
                (DeviceMemory)
                        Proxy.newProxyInstance(
                                DeviceMemory.class.getClassLoader(),
                                new Class<?>[] {DeviceMemory.class},
                                (_, method, _) -> {
                                    calls.add(method.getName());
                                    return null;
                                });
        CompletableFuture<DeviceMemory> end = new CompletableFuture<>();
        OutOfMemoryError none = new OutOfMemoryError("injected");
        ReadFuture<Object> future =
                DeviceReadFutures.of(
                        new Reading(end),
                        _ -> {
                            throw none;
                        });
        end.complete(memory);
        assertSame(none, assertThrows(CompletionException.class, future::join).getCause());
        assertEquals(List.of("close"), calls);
    }

    private record Reading(CompletableFuture<DeviceMemory> end) implements DeviceReading {
        @Override
        public void whenEnded(BiConsumer<DeviceMemory, Throwable> listener) {
            var _ = end.whenComplete(listener);
        }

        @Override
        public boolean hasEnded() {
            return end.isDone();
        }

        @Override
        public void fail(Throwable cause) {
            end.completeExceptionally(cause);
        }
    }
}
