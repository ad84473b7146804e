package io.zarrengine.gpu.read;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.slot.WorkerSlot;
import io.zarrengine.uring.reading.SureCompletion;
import io.zarrengine.zarr.device.DeviceJob;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReading;
import io.zarrengine.zarr.device.HostWorkers;
import io.zarrengine.zarr.device.TargetAddress;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A read to a device from first to last step: allocation, the chunks, and host memory instead if
 * the device fails meanwhile. Threads: any.
 */
public final class CudaReading implements DeviceReading {
    private final HostWorkers workers;
    private final DeviceExecutor executor;
    private final DeviceJob job;
    private final DeviceSlice callers; // null: new memory
    private final CallersTurn turn;
    private final CompletableFuture<DeviceMemory> result = new CompletableFuture<>();
    private Throwable failure; // this and the following: guarded by this
    private DeviceRead read;
    private ReadRequest hostRequest;
    private Throwable refusal; // why it cannot begin; set when the turn has come
    private boolean hasBegun; // after that wait

    /** {@code callers}: null for new memory. */
    public CudaReading(
            HostWorkers workers, DeviceExecutor executor, DeviceJob job, TargetAddress callers) {
        this.workers = workers;
        this.executor = executor;
        this.job = job;
        this.callers = callers == null ? null : new DeviceSlice(callers.pointer(), job.bytes());
        this.turn = CallersTurn.of(executor, callers);
    }

    @Override
    public void whenEnded(BiConsumer<DeviceMemory, Throwable> listener) {
        var _ = result.whenComplete(listener);
    }

    @Override
    public boolean hasEnded() {
        return result.isDone();
    }

    @Override
    public void fail(Throwable cause) {
        DeviceRead begun;
        ReadRequest instead;
        synchronized (this) {
            failure = failure == null ? cause : failure;
            begun = read;
            instead = hostRequest;
        }
        turn.fail(cause);
        if (begun != null) {
            begun.fail(cause);
        }
        if (instead != null) {
            instead.fail(cause);
        }
    }

    public void start() {
        if (turn.isNow()) {
            startNow();
            return;
        }
        SureCompletion begins = new SureCompletion(this::startAfter);
        // Not on the device thread: a small read is decoded by the thread that starts it.
        var _ =
                turn.begins()
                        .whenComplete((_, cause) -> {
                            refusal = Failures.cause(cause);
                            begins.start();
                        });
    }

    /** May be called again for lack of memory. */
    private void startAfter() {
        if (refusal == null && !hasBegun) {
            hasBegun = true;
            try {
                startNow();
            } catch (RuntimeException | Error e) { // the engine was closed
                refusal = e;
            }
        }
        if (refusal != null) {
            result.completeExceptionally(refusal);
        }
    }

    private void startNow() {
        Optional<DeviceLostException> loss = executor.work().loss();
        PinnedSlots.Slot slot =
                loss.isPresent() || job.bytes() == 0
                        ? null
                        : executor.smallSlots().tryTake(job.bytes(), chunks());
        if (loss.isPresent()) {
            lost(loss.get());
        } else if (slot != null) {
            startSmall(slot);
        } else if (job.bytes() == 0) {
            begin(callers == null ? new DeviceSlice(0, 0) : callers, null);
        } else if (callers != null) {
            beginAtCallers();
        } else {
            var _ = executor.allocate(job.bytes()).whenComplete(this::allocated);
        }
    }

    private void startSmall(PinnedSlots.Slot slot) {
        boolean isAlone = !executor.work().hasReads();
        MemorySegment content = slot.segment().asSlice(0, job.bytes());
        ReadRequest request;
        SmallRead small;
        try {
            request = new ReadRequest(job.source(), job.plan(), content);
            small = new SmallRead(executor, slot, callers, content);
        } catch (RuntimeException | Error e) { // nothing has begun
            executor.smallSlots().giveBack(slot);
            result.completeExceptionally(e);
            return;
        }
        small.whenEnded((allocation, cause) -> {
            DeviceSlice target = allocation == null ? callers : allocation.slice();
            Throwable refusal = cause == null ? null : executor.ofRefusal(cause);
            ended(refusal == null ? target.slice(0, job.bytes()) : null, allocation, refusal);
        });
        try {
            register(small.read());
            small.submit(workers, request, isAlone);
        } catch (ClosedException e) {
            small.refused(e);
        }
    }

    /** Makes the read reachable for {@link #fail}. */
    private synchronized void register(DeviceRead begun) {
        read = begun;
        if (failure != null) {
            begun.fail(failure);
        }
    }

    private void allocated(Allocation allocation, Throwable refusal) {
        if (refusal == null) {
            begin(allocation.slice().slice(0, job.bytes()), allocation);
        } else {
            ended(null, null, executor.ofRefusal(refusal));
        }
    }

    private void beginAtCallers() {
        try {
            executor.work().hold();
        } catch (ClosedException e) {
            ended(null, null, e);
            return;
        }
        executor.work()
                .post(device -> {
                    try {
                        device.requireAllocated(callers);
                        begin(callers, null);
                    } catch (RuntimeException | Error e) {
                        ended(null, null, e);
                    } finally {
                        executor.work().letGo();
                    }
                });
    }

    private void begin(DeviceSlice target, Allocation allocation) {
        DeviceRead begun;
        try {
            begun = executor.newRead(target, chunks(), chunkBytes());
        } catch (RuntimeException | Error e) {
            ended(target, allocation, e);
            return;
        }
        executor.parts().workload().producerBegins();
        var _ =
                begun.ended()
                        .whenComplete(
                                (_, cause) -> ended(target, allocation, Failures.cause(cause)));
        NativeMemory staged = null;
        try {
            boolean isStaged = isStaged();
            staged = isStaged ? hostMemory() : null;
            ReadRequest request = isStaged ? staged(begun, staged) : direct(begun);
            begun.setRequest(request);
            register(begun);
            workers.submit(request);
        } catch (RuntimeException | Error e) { // the engine was closed, or no memory is left
            if (staged != null) {
                staged.close();
            }
            producerEnds(begun, e);
        }
    }

    private NativeMemory hostMemory() {
        try {
            return NativeMemory.allocate(job.bytes());
        } catch (NativeMemoryError e) {
            throw OutOfMemoryException.ofResult(
                    "a result that the host decodes for a device", job.bytes(), e);
        }
    }

    /**
     * Returns the approximate number of inner chunks of the read. It counts as if the read took
     * whole inner chunks, and none twice.
     */
    private long chunks() {
        long innerBytes = chunkBytes();
        long each = Math.max(1, job.source().pipelines().largest().decodedBytes() / innerBytes);
        long chunks = job.plan().chunks();
        long wanted = job.bytes() / innerBytes;
        return wanted / each >= chunks ? each * chunks : Math.max(chunks, wanted);
    }

    /**
     * Returns the size of an inner chunk's elements, or of a block if chunks are read in blocks.
     */
    private long chunkBytes() {
        ChunkPipeline inner = job.source().pipelines().largest().innermost();
        long block = DeviceRead.blockBytes(executor.options(), inner);
        return block > 0 ? block : inner.decodedBytes();
    }

    private boolean isStaged() {
        var chunk = job.source().pipelines().largest();
        return HostReasons.reason(job.plan(), job.bytes(), chunk, executor.options()).isPresent();
    }

    private ReadRequest direct(DeviceRead begun) {
        ReadRequest request = ReadRequest.ofSink(job.source(), job.plan(), begun);
        request.whenEnded(cause -> producerEnds(begun, cause));
        return request;
    }

    private ReadRequest staged(DeviceRead begun, NativeMemory memory) {
        ReadRequest request = new ReadRequest(job.source(), job.plan(), memory.segment());
        SureCompletion copy = new SureCompletion(() -> copy(begun, memory, request.failure()));
        request.whenEnded(_ -> copy.start());
        return request;
    }

    private void producerEnds(DeviceRead begun, Throwable cause) {
        executor.parts().workload().producerEnds();
        begun.handedOver(cause);
    }

    /** Copies host memory to the device, slot by slot. */
    private void copy(DeviceRead begun, NativeMemory staged, Throwable cause) {
        Throwable failed = cause;
        WorkerSlot slot = null;
        try (staged) {
            slot = executor.parts().slots().newSlot();
            MemorySegment bytes = staged.segment();
            long step = executor.options().slotBytes();
            for (long at = 0; failed == null && at < bytes.byteSize(); at += step) {
                long length = Math.min(step, bytes.byteSize() - at);
                begun.putBytes(slot, bytes.asSlice(at, length), at);
            }
        } catch (RuntimeException | Error e) {
            failed = e;
        }
        if (slot != null) {
            executor.parts().slots().remove(slot);
        }
        producerEnds(begun, failed);
    }

    private void ended(DeviceSlice target, Allocation allocation, Throwable cause) {
        if (cause == null) {
            result.complete(new OnDeviceMemory(executor, target, allocation, callers == null));
            return;
        }
        if (allocation != null) {
            var _ = executor.free(allocation, List.of());
        }
        if (cause instanceof DeviceLostException e) {
            lost(e);
        } else {
            result.completeExceptionally(cause);
        }
    }

    /**
     * Fails a read to the caller's memory, which is lost with the device. A read to new memory goes
     * to host memory instead.
     */
    private void lost(DeviceLostException cause) {
        if (callers != null) {
            result.completeExceptionally(cause);
            return;
        }
        NativeMemory memory = null;
        try {
            memory = hostMemory();
            ReadRequest request = onHost(memory, cause);
            synchronized (this) {
                hostRequest = request;
                if (failure != null) {
                    request.fail(failure);
                }
            }
            workers.submit(request);
        } catch (RuntimeException | Error e) { // the request has not begun
            if (memory != null) {
                memory.close();
            }
            result.completeExceptionally(e);
        }
    }

    private ReadRequest onHost(NativeMemory memory, DeviceLostException cause) {
        ReadRequest request = new ReadRequest(job.source(), job.plan(), memory.segment());
        request.whenEnded(failed -> {
            if (failed == null) {
                result.complete(new OnHostMemory(memory, cause.getMessage()));
            } else {
                memory.close();
                result.completeExceptionally(failed);
            }
        });
        return request;
    }
}
