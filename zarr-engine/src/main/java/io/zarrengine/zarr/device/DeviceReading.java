package io.zarrengine.zarr.device;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.cuda.DeviceBudgetException;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.DeviceLostException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.ReadRequest;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/**
 * A read to a device from its first step to its last: memory, the chunks, and the host's memory
 * instead where the device fails meanwhile. Threads: any.
 */
public final class DeviceReading {
    /**
     * What is read.
     *
     * @param source the array
     * @param plan its chunks
     * @param bytes the size of the result
     */
    public record Job(ReadRequest.Source source, ChunkPlan plan, long bytes) {}

    private final Executor workers;
    private final DeviceExecutor executor;
    private final Job job;
    private final DeviceSlice callers; // null: new memory
    private final CompletableFuture<DeviceMemory> result = new CompletableFuture<>();
    private Throwable failure; // this and the following: guarded by this
    private DeviceRead read;
    private ReadRequest hostRequest;

    DeviceReading(Executor workers, DeviceExecutor executor, Job job, DeviceSlice callers) {
        this.workers = workers;
        this.executor = executor;
        this.job = job;
        this.callers = callers;
    }

    /**
     * Has a listener told when nobody writes to the target any more.
     *
     * @param listener gets the result or the failure; must be quick and not throw
     */
    public void whenEnded(BiConsumer<DeviceMemory, Throwable> listener) {
        var _ = result.whenComplete(listener);
    }

    /**
     * Gives the read up. It still has to end.
     *
     * @param cause what it fails with
     */
    public void fail(Throwable cause) {
        DeviceRead begun;
        ReadRequest instead;
        synchronized (this) {
            failure = failure == null ? cause : failure;
            begun = read;
            instead = hostRequest;
        }
        if (begun != null) {
            begun.fail(cause);
        }
        if (instead != null) {
            instead.fail(cause);
        }
    }

    void start() {
        Optional<DeviceLostException> loss = executor.loss();
        if (loss.isPresent()) {
            lost(loss.get());
        } else if (callers != null) {
            begin(callers, null);
        } else if (job.bytes == 0) {
            begin(new DeviceSlice(0, 0), null);
        } else {
            var _ = executor.allocate(job.bytes).whenComplete(this::allocated);
        }
    }

    private void allocated(Allocation allocation, Throwable refusal) {
        switch (refusal) {
            case null -> begin(allocation.slice().slice(0, job.bytes), allocation);
            case DeviceLostException e -> lost(e);
            case DeviceBudgetException e -> {
                String subject = "a result on cuda:" + executor.ordinal();
                result.completeExceptionally(
                        new BudgetExceededException(
                                subject, e.requestedBytes(), e.availableBytes()));
            }
            case IOException e ->
                    result.completeExceptionally(
                            new DeviceLostException("cuda:" + executor.ordinal(), e));
            default -> result.completeExceptionally(refusal);
        }
    }

    private void begin(DeviceSlice target, Allocation allocation) {
        DeviceRead begun = executor.newRead(target, chunks());
        executor.producerBegins();
        var _ =
                begun.ended()
                        .whenComplete(
                                (_, cause) -> ended(target, allocation, Devices.cause(cause)));
        try {
            ReadRequest request = request(begun);
            begun.setRequest(request);
            synchronized (this) {
                read = begun;
                if (failure != null) {
                    begun.fail(failure);
                }
            }
            workers.submit(request);
        } catch (RuntimeException | Error e) { // The engine was closed, or there is no memory.
            producerEnds(begun, e);
        }
    }

    /** About how many chunks the read has, if it takes all of each. */
    private long chunks() {
        long chunkBytes = job.source.pipelines().largest().elementBytes();
        for (long length : job.source.pipelines().largest().innermostShape()) {
            chunkBytes *= length;
        }
        return Math.max(job.plan.chunks(), job.bytes / chunkBytes);
    }

    private ReadRequest request(DeviceRead begun) {
        var chunk = job.source.pipelines().largest();
        if (HostWay.reason(job.plan, job.bytes, chunk, executor.options()).isEmpty()) {
            ReadRequest request = ReadRequest.ofSink(job.source, job.plan, begun);
            request.whenEnded(cause -> producerEnds(begun, cause));
            return request;
        }
        NativeMemory staged = NativeMemory.allocate(job.bytes);
        ReadRequest request = new ReadRequest(job.source, job.plan, staged.segment());
        request.whenEnded(cause -> Thread.startVirtualThread(() -> copy(begun, staged, cause)));
        return request;
    }

    private void producerEnds(DeviceRead begun, Throwable cause) {
        executor.producerEnds();
        begun.handedOver(cause);
    }

    /** From the host's memory to the device, slot by slot. */
    private void copy(DeviceRead begun, NativeMemory staged, Throwable cause) {
        Throwable failed = cause;
        Lane lane = executor.newLane();
        try (staged) {
            MemorySegment bytes = staged.segment();
            long step = executor.slotBytes();
            for (long at = 0; failed == null && at < bytes.byteSize(); at += step) {
                long length = Math.min(step, bytes.byteSize() - at);
                begun.putBytes(lane, bytes.asSlice(at, length), at);
            }
        } catch (RuntimeException | Error e) {
            failed = e;
        }
        executor.removeLane(lane);
        producerEnds(begun, failed);
    }

    private void ended(DeviceSlice target, Allocation allocation, Throwable cause) {
        if (cause == null) {
            result.complete(new DeviceMemory.OnDevice(executor, target, allocation));
            return;
        }
        if (allocation != null) {
            executor.free(allocation);
        }
        if (cause instanceof DeviceLostException e) {
            lost(e);
        } else {
            result.completeExceptionally(cause);
        }
    }

    /** Memory of the caller's is gone with the device; new memory can be the host's. */
    private void lost(DeviceLostException cause) {
        if (callers != null) {
            result.completeExceptionally(cause);
            return;
        }
        try {
            NativeMemory memory = NativeMemory.allocate(job.bytes);
            ReadRequest request = new ReadRequest(job.source, job.plan, memory.segment());
            request.whenEnded(failed -> {
                if (failed == null) {
                    result.complete(new DeviceMemory.OnHost(memory, cause.getMessage()));
                } else {
                    memory.close();
                    result.completeExceptionally(failed);
                }
            });
            synchronized (this) {
                hostRequest = request;
                if (failure != null) {
                    request.fail(failure);
                }
            }
            workers.submit(request);
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /** What a future failed with, without the wrapping. */
    static Throwable unwrapped(Throwable cause) {
        return cause instanceof CompletionException && cause.getCause() != null
                ? cause.getCause()
                : cause;
    }
}
