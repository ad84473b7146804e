package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.Sampler;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A caller queues work on a stream of its own and does not wait for it. The simulated device runs
 * the streams in an order at random, so that a missing order gives wrong bytes.
 */
@NeedsDevice
final class CallersStreamTest extends CallersStreamSetup {
    /** So much that the stream works longer than it takes to end a read. */
    private static final int LONG_QUEUED = 200_000;

    private DeviceSlice slice(DeviceTensor tensor) {
        return new DeviceSlice(tensor.pointer(), tensor.byteSize());
    }

    /** Queues copies of a tensor to the host. */
    private void queueCopies(DeviceTensor tensor) throws IOException {
        device.thread()
                .call(() -> {
                    for (int i = 0; i < QUEUED; i++) {
                        stream.copyToHost(slice(tensor), copy(i));
                    }
                    return null;
                });
    }

    private MemorySegment copy(int number) {
        long bytes = sample.all().length;
        return pinned.segment().asSlice(number * bytes, bytes);
    }

    private void assertCopied() throws IOException {
        device.thread()
                .call(() -> {
                    stream.synchronize();
                    return null;
                });
        byte[] expected = sample.all();
        for (int i = 0; i < QUEUED; i++) {
            assertArrayEquals(expected, copy(i).toArray(JAVA_BYTE), "copy " + i);
        }
    }

    /** Without the order, memory is given back that the stream still reads. */
    @Test
    void memoryIsUsedAgainAfterTheWorkOfTheStream() throws IOException {
        DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join();
        tensor.recordStream(stream.handle().address());
        tensor.recordStream(1); // the legacy default stream, which is idle
        queueCopies(tensor);
        tensor.close();
        for (int i = 0; i < 3; i++) {
            DeviceTensors.assertReadsAll(array, sample.all());
        }
        assertCopied();
    }

    @Test
    void aLoadersBatchesAreUsedAgainAfterTheWorkOfTheStream() throws IOException {
        Sampler all = Sampler.of(Collections.nCopies(6, Selection.all()));
        try (Loader<DeviceTensor> loader = Loader.of(array, all).prefetch(1).open(DEVICE)) {
            int step = 0;
            for (Batch<DeviceTensor> batch : loader) {
                DeviceTensor tensor = batch.tensor();
                tensor.recordStream(stream.handle().address());
                if (step++ == 0) {
                    queueCopies(tensor);
                }
            }
            assertEquals(6, step);
        }
        assertCopied();
    }

    /** The small read is copied by the thread that begins it, the others are decoded in batches. */
    @ParameterizedTest
    @ValueSource(strings = {"...", "0:8, 0:8"})
    void aReadToTheCallersMemoryComesAfterTheWorkOfTheStream(String selection) throws IOException {
        Selection part = Selection.of(selection);
        try (DeviceTensor memory = array.readAsync(part, DEVICE).join();
                HostTensor expected = array.read(part)) {
            device.thread()
                    .call(() -> {
                        for (int i = 0; i < QUEUED; i++) {
                            stream.set(slice(memory), (byte) i);
                        }
                        return null;
                    });
            Target target = DEVICE.into(memory.pointer(), memory.byteSize());
            try (DeviceTensor read =
                    array.readAsync(part, target.after(stream.handle().address())).join()) {
                assertHolds(expected.segment().toArray(JAVA_BYTE), read);
            }
        }
    }

    /**
     * Faults: a read begins before the future that it waits for; it waits for ever if that fails,
     * or if it is cancelled.
     */
    @Test
    void aReadToTheCallersMemoryComesAfterAFuture() {
        try (DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            Target target = DEVICE.into(memory.pointer(), memory.byteSize());
            CompletableFuture<Void> event = new CompletableFuture<>();
            var read = array.readAsync(Selection.all(), target.after(event));
            var cancelled = array.readAsync(Selection.all(), target.after(event));
            cancelled.cancel(true);
            assertThrows(CancellationException.class, cancelled::join);
            var failed = CompletableFuture.failedFuture(new IllegalStateException("no"));
            var refused = array.readAsync(Selection.all(), target.after(failed));
            var e = assertThrows(CompletionException.class, refused::join);
            assertInstanceOf(IllegalStateException.class, e.getCause());
            DeviceTensors.assertReadsAll(array, sample.all()); // others go on
            assertFalse(read.isDone());
            event.complete(null);
            try (DeviceTensor written = read.join()) {
                assertHolds(sample.all(), written);
            }
        }
    }

    /**
     * Fault: a read that waits for a stream goes on waiting when it is cancelled or refused. A real
     * GPU ends the stream too soon, because its queue is short.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_CUDA_SEED", matches = ".*")
    void aReadThatWaitsForAStreamEndsAtOnce() throws IOException {
        ZarrEngine other = DeviceEngines.open();
        try (DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            ZarrArray others = other.openArray(sample.path());
            memory.recordStream(stream.handle().address());
            CudaEvent end = queueLong(memory);
            Target target =
                    DEVICE.into(memory.pointer(), memory.byteSize())
                            .after(stream.handle().address());
            var cancelled = others.readAsync(Selection.all(), target);
            cancelled.cancel(true);
            assertThrows(CancellationException.class, cancelled::join);
            assertFalse(device.thread().call(end::isDone), "the stream has ended before");
            var refused = others.readAsync(Selection.all(), target);
            other.close();
            var e = assertThrows(CompletionException.class, refused::join);
            assertInstanceOf(ClosedException.class, e.getCause());
            device.thread()
                    .call(() -> {
                        end.close();
                        return null;
                    });
        } finally {
            other.close();
        }
    }

    private CudaEvent queueLong(DeviceTensor tensor) throws IOException {
        return device.thread()
                .call(() -> {
                    for (int i = 0; i < LONG_QUEUED; i++) {
                        stream.set(slice(tensor).slice(0, 1), (byte) i);
                    }
                    CudaEvent end = CudaEvent.open(device);
                    end.record(stream);
                    return end;
                });
    }

    /** Another thread would wait for its own stream of that name. */
    @Test
    void refusesTheStreamOfTheThread() {
        assertThrows(IllegalArgumentException.class, () -> DEVICE.after(2));
        try (DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertThrows(IllegalArgumentException.class, () -> tensor.recordStream(2));
        }
    }
}
