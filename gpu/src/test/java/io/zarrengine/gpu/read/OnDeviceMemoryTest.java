package io.zarrengine.gpu.read;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.zarr.Captures;
import io.zarrengine.zarr.DeviceEngines;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The end of memory that streams of the caller use. CUDA stops the process that names a stream
 * after it was closed.
 */
@Tag("gpu")
final class OnDeviceMemoryTest {
    private static final long CLOSED_STREAM = 0x1230;

    /** More than half of the device's budget. */
    private static final long MOST = 100L << 20;

    @BeforeAll
    static void needDevice() {
        DeviceEngines.needDevice();
    }

    private static OnDeviceMemory memory(DeviceExecutor executor) {
        Allocation allocation = executor.allocate(1000).join();
        return new OnDeviceMemory(executor, allocation.slice(), allocation, true);
    }

    /** Fault: the caller closes its stream after the memory, and the end of a copy names it. */
    @Test
    void closingWaitsForCopiesIfItHasToWaitForAStream() throws Exception {
        CudaDevice device = CudaDevice.open(0);
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            CudaStream stream = device.thread().call(() -> CudaStream.open(device));
            OnDeviceMemory memory = memory(executor);
            memory.recordStream(stream.handle().address());
            memory.use(); // as a copy does
            Thread closing = Thread.ofPlatform().start(memory::close);
            try {
                while (closing.getState() != Thread.State.WAITING) {
                    assertTrue(closing.isAlive(), "did not wait");
                    Thread.onSpinWait();
                }
            } finally {
                memory.release();
            }
            closing.join();
            close(device, stream);
        } finally {
            device.close();
        }
    }

    private static void close(CudaDevice device, CudaStream stream) throws IOException {
        device.thread()
                .call(() -> {
                    stream.close();
                    return null;
                });
    }

    /** Fault: a training loop that drops a batch waits milliseconds for the device thread. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void closingDoesNotWaitForTheDefaultStream(long stream) throws Exception {
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            OnDeviceMemory memory = memory(executor);
            memory.recordStream(stream);
            CountDownLatch closed = new CountDownLatch(1);
            CompletableFuture<Boolean> inTime = new CompletableFuture<>();
            executor.work().post(_ -> inTime.completeAsync(() -> awaited(closed), Runnable::run));
            memory.close();
            closed.countDown();
            assertTrue(inTime.get(), "closing waited for the device thread");
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    /** Fault: memory that nobody closed is freed with the engine, long after its streams. */
    @Test
    void forgottenMemoryNamesNoStream() throws IOException {
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            OnDeviceMemory memory = memory(executor);
            memory.recordStream(CLOSED_STREAM);
            memory.forget();
        }
    }

    /** Fault: memory that is closed during a capture is freed too early, or never. */
    @Test
    void memoryIsFreeAfterTheCapture() throws IOException {
        CudaDevice device = CudaDevice.open(0);
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            CudaStream stream = device.thread().call(() -> CudaStream.open(device));
            long handle = stream.handle().address();
            Allocation most = executor.allocate(MOST).join();
            OnDeviceMemory memory = new OnDeviceMemory(executor, most.slice(), most, true);
            memory.recordStream(handle);
            Captures.begin(device, handle);
            memory.close();
            assertThrows(CompletionException.class, () -> executor.allocate(MOST).join());
            Captures.end(device, handle);
            Allocation again = null;
            while (again == null) { // the device thread looks now and then
                again = executor.allocate(MOST).exceptionally(_ -> null).join();
            }
            var _ = executor.free(again, List.of());
            close(device, stream);
        } finally {
            device.close();
        }
    }
}
