package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.selection.SelectedElements;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;

/** An array's reads to memory of the host. Threads: any. */
final class HostReads {
    private final EngineResources engine;
    private final Executor executor;
    private final DataType dataType;
    private final ReadRequest.Source source;

    HostReads(EngineResources engine, DataType dataType, ReadRequest.Source source) {
        this.engine = engine;
        this.executor = engine.executor();
        this.dataType = dataType;
        this.source = source;
    }

    /** Reads to new memory and waits for it. */
    HostTensor read(SelectedElements elements) {
        HostTensor tensor = newTensor(elements);
        ReadRequest request = request(elements, tensor);
        try {
            waitFor(request, elements.bytes());
            return tensor;
        } catch (RuntimeException | Error e) {
            closeAfter(request, tensor, e);
            throw e;
        }
    }

    /** Reads to memory of the caller's and waits for it. */
    void read(SelectedElements elements, MemorySegment target) {
        CallersMemory.refuseUnfit(elements.bytes(), target);
        // The caller waits here, so its confined arena stays open.
        MemorySegment reachable = CallersMemory.ofWaiting(executor, target);
        ReadRequest request = request(elements, reachable);
        try {
            waitFor(request, elements.bytes());
        } catch (RuntimeException | Error e) {
            giveUp(request, e);
            throw e;
        }
    }

    /** Waits until no thread writes to the target of a read that failed on this thread. */
    private static void giveUp(ReadRequest request, Throwable cause) {
        try {
            request.fail(cause);
        } finally {
            request.awaitEnd();
        }
    }

    /** Reads to new memory. */
    HostReadFuture<HostTensor> readAsync(SelectedElements elements) {
        return readAsync(elements, newTensor(elements));
    }

    /** Reads to memory of a loader's. */
    HostReadFuture<HostTensor> readAsync(SelectedElements elements, LoaderMemory memory) {
        return readAsync(
                elements, memory.newTensor(dataType, elements.resultShape(), elements.bytes()));
    }

    /** Closes the tensor if that fails. */
    private HostReadFuture<HostTensor> readAsync(SelectedElements elements, HostTensor tensor) {
        ReadRequest request = request(elements, tensor);
        try {
            HostReadFuture<HostTensor> future =
                    HostReadFuture.of(request, () -> tensor, tensor::closeIfOpen);
            executor.submit(request);
            return future;
        } catch (RuntimeException | Error e) {
            closeAfter(request, tensor, e);
            throw e;
        }
    }

    /** Closes the tensor if that fails. */
    private ReadRequest request(SelectedElements elements, HostTensor tensor) {
        try {
            return request(elements, tensor.target());
        } catch (RuntimeException | Error e) {
            tensor.closeIfOpen();
            throw e;
        }
    }

    /** Workers may be writing to it, whatever went wrong: native calls among them, uncounted. */
    private static void closeAfter(ReadRequest request, HostTensor tensor, Throwable cause) {
        if (request.hasBegun()) {
            request.whenEnded(failure -> tensor.closeIfOpen());
            request.fail(cause);
        } else {
            tensor.closeIfOpen();
        }
    }

    /** Reads to memory of the caller's. */
    HostReadFuture<Void> readAsync(SelectedElements elements, MemorySegment target) {
        CallersMemory.refuseUnfit(elements.bytes(), target);
        CallersMemory.refuseConfined(executor, target);
        ReadRequest request = request(elements, target);
        try {
            HostReadFuture<Void> future = HostReadFuture.of(request, () -> null, () -> {});
            executor.submit(request);
            return future;
        } catch (RuntimeException | Error e) {
            giveUp(request, e);
            throw e;
        }
    }

    private HostTensor newTensor(SelectedElements elements) {
        return engine.newTensor(dataType, elements.resultShape(), elements.bytes());
    }

    private ReadRequest request(SelectedElements elements, MemorySegment target) {
        return new ReadRequest(source, elements.plan(), target);
    }

    /** Reads, and waits for that; {@code bytes}: how much it brings. */
    void waitFor(ReadRequest request, long bytes) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        executor.submitAndHelp(request, bytes);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    request.await();
                    return;
                } catch (InterruptedException e) { // The target is still being written.
                    interrupted = true;
                    request.fail(new CancellationException("interrupted"));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
