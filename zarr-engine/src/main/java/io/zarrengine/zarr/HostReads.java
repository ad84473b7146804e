package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.selection.SelectedElements;
import io.zarrengine.zarr.task.HostReadFuture;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;

/** Reads an array to host memory. Threads: any. */
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

    /** Reads to new memory and waits. */
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

    /** Reads to the caller's memory and waits. */
    void read(SelectedElements elements, MemorySegment target) {
        CallerMemory.refuseUnfit(elements.bytes(), target);
        // The caller waits here, so its confined arena stays open.
        MemorySegment reachable = CallerMemory.ofWaiting(executor, target);
        ReadRequest request = request(elements, reachable);
        try {
            waitFor(request, elements.bytes());
        } catch (RuntimeException | Error e) {
            request.fail(e);
            request.awaitEnd();
            throw e;
        }
    }

    /** Reads to new memory. */
    HostReadFuture<HostTensor> readAsync(SelectedElements elements) {
        return readAsync(elements, newTensor(elements));
    }

    /** Reads to a tensor that the caller makes. */
    HostReadFuture<HostTensor> readAsync(SelectedElements elements, TensorAllocator allocator) {
        HostTensor tensor = allocator.allocate(dataType, elements.resultShape());
        try {
            CallerMemory.refuseUnfit(elements.bytes(), tensor.segment());
            CallerMemory.refuseConfined(executor, tensor.segment());
        } catch (RuntimeException | Error e) {
            tensor.closeIfOpen();
            throw e;
        }
        return readAsync(elements, tensor);
    }

    /** Starts the read. Closes the tensor if that fails. */
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

    /** Creates the request. Closes the tensor if that fails. */
    private ReadRequest request(SelectedElements elements, HostTensor tensor) {
        try {
            return request(elements, tensor.target());
        } catch (RuntimeException | Error e) {
            tensor.closeIfOpen();
            throw e;
        }
    }

    /**
     * Fails the request and closes the tensor when no worker writes to it. Whatever the error,
     * workers may still write to it, also in native calls that do not keep its memory alive.
     */
    private static void closeAfter(ReadRequest request, HostTensor tensor, Throwable cause) {
        request.fail(cause);
        if (request.hasBegun()) {
            request.whenEnded(failure -> tensor.closeIfOpen());
        } else {
            tensor.closeIfOpen();
        }
    }

    /** Reads to the caller's memory. */
    HostReadFuture<Void> readAsync(SelectedElements elements, MemorySegment target) {
        CallerMemory.refuseUnfit(elements.bytes(), target);
        CallerMemory.refuseConfined(executor, target);
        ReadRequest request = request(elements, target);
        try {
            HostReadFuture<Void> future = HostReadFuture.of(request, () -> null, () -> {});
            executor.submit(request);
            return future;
        } catch (RuntimeException | Error e) {
            request.fail(e);
            request.awaitEnd();
            throw e;
        }
    }

    private HostTensor newTensor(SelectedElements elements) {
        return engine.newTensor(dataType, elements.resultShape(), elements.bytes());
    }

    private ReadRequest request(SelectedElements elements, MemorySegment target) {
        return new ReadRequest(source, elements.plan(), target);
    }

    /** Submits the request and waits for it; {@code bytes} is the size of its result. */
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
                } catch (InterruptedException e) { // Wait on: workers still write to the target.
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
