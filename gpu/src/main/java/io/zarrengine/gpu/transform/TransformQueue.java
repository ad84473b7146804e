package io.zarrengine.gpu.transform;

import io.zarrengine.cuda.AwaitedEvents;
import io.zarrengine.cuda.ChunkKernels;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Transforms in one stream, each with a future that its caller waits for. Owner: a pump. Threads:
 * the device's.
 */
public final class TransformQueue implements AutoCloseable {
    private final CudaDevice device;
    private final CudaStream stream;
    private final ChunkKernels kernels;
    private final AwaitedEvents launched = new AwaitedEvents();
    private final ArrayDeque<CudaEvent> unused = new ArrayDeque<>();

    /** {@code stream}: targets were allocated in it. */
    public TransformQueue(CudaDevice device, CudaStream stream, ChunkKernels kernels) {
        this.device = device;
        this.stream = stream;
        this.kernels = kernels;
    }

    public boolean isEmpty() {
        return launched.isEmpty();
    }

    /** Queues the launches of a transform after the others. */
    public void launch(
            List<TransformLaunch> launches, DeviceSlice target, CompletableFuture<Void> done)
            throws CudaException {
        CudaEvent event = unused.isEmpty() ? CudaEvent.open(device) : unused.pop();
        var _ = done.whenComplete((_, _) -> unused.push(event));
        launched.add(event, done); // before the calls: it must end even if one fails
        for (TransformLaunch each : launches) {
            DeviceSlice results =
                    target.slice(each.targetOffset(), target.byteSize() - each.targetOffset());
            kernels.transform(stream, each.parameters(), each.samples(), each.source(), results);
        }
        event.record(stream);
    }

    /** Completes the futures of the transforms that are done. Returns false if none is. */
    public boolean complete() throws CudaException {
        return launched.complete();
    }

    /** Fails the futures of all transforms. */
    public void fail(Throwable cause) {
        launched.fail(cause);
    }

    @Override
    public void close() {
        while (!unused.isEmpty()) {
            unused.pop().close();
        }
    }
}
