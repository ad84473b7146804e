package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeviceThreadTest {
    private final DeviceThread thread = new DeviceThread("test-device");

    @AfterEach
    void close() {
        thread.close();
    }

    @Test
    void everyCallIsOnOneThread() throws IOException {
        Thread first = thread.call(Thread::currentThread);
        assertEquals("test-device", first.getName());
        assertFalse(first.isVirtual());
        assertSame(first, thread.call(Thread::currentThread));
        assertSame(first, thread.call(() -> thread.call(Thread::currentThread)), "nested");
    }

    @Test
    void anotherThreadIsRefused() throws IOException {
        assertThrows(WrongThreadException.class, thread::check);
        thread.call(() -> {
            thread.check();
            return null;
        });
    }

    @Test
    void failuresKeepTheirType() {
        CudaException failure = new CudaException("cudaFree", "", 1);
        assertSame(
                failure, assertThrows(CudaException.class, () -> thread.call(() -> fail(failure))));
        assertThrows(
                IllegalStateException.class,
                () ->
                        thread.call(() -> {
                            throw new IllegalStateException();
                        }));
    }

    @Test
    void aSubmittedFailureIsInTheFuture() {
        CudaException failure = new CudaException("cudaFree", "", 1);
        Future<?> future = thread.submit(() -> fail(failure));
        assertSame(failure, assertThrows(ExecutionException.class, future::get).getCause());
    }

    /** Otherwise a caller would free memory that the task still uses. */
    @Test
    void anInterruptedCallerWaitsForTheEnd() throws IOException {
        Thread.currentThread().interrupt();
        boolean[] isDone = {false};
        thread.call(() -> {
            Thread.onSpinWait();
            isDone[0] = true;
            return null;
        });
        assertTrue(isDone[0]);
        assertTrue(Thread.interrupted());
    }

    private static Void fail(CudaException failure) throws CudaException {
        throw failure;
    }
}
