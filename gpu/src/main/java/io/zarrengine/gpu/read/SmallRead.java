package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.batch.DeviceCommands;
import io.zarrengine.zarr.device.HostWorkers;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A small read: the host decodes it and places its elements in a pinned slot, and one copy brings
 * them to the device. A launch would take milliseconds, and each hand-over between threads takes as
 * long as half a chunk. Here there is one hand-over, to the device thread, which allocates
 * meanwhile and spins.
 *
 * <p>Threads: any.
 */
final class SmallRead {
    /** Longer than copying a chunk takes, and shorter than falling asleep and being woken. */
    private static final long AWAKE_NANOS = 50_000;

    private final DeviceExecutor executor;
    private final PinnedSlots.Slot slot;
    private final MemorySegment content;
    private final DeviceSlice callers; // null: new memory
    private final CompletableFuture<Allocation> allocation;
    private final DeviceRead read;
    private volatile boolean isDecoded;

    /**
     * Begins a small read.
     *
     * @param slot a slot from {@link SmallSlots#tryTake}
     * @param callers the target; null for new memory
     * @param content the part of the slot for the elements
     */
    SmallRead(
            DeviceExecutor executor,
            PinnedSlots.Slot slot,
            DeviceSlice callers,
            MemorySegment content) {
        this.executor = executor;
        this.slot = slot;
        this.content = content;
        this.callers = callers;
        this.read = executor.newRead(callers, 1, 0);
        this.allocation =
                callers == null
                        ? executor.allocate(content.byteSize())
                        : CompletableFuture.completedFuture(null);
    }

    /** Returns the read as the executor knows it; the executor may fail it. */
    DeviceRead read() {
        return read;
    }

    /**
     * Registers a listener. It receives the allocation or the failure when nothing writes to the
     * target any more.
     */
    void whenEnded(BiConsumer<Allocation, Throwable> listener) {
        var _ =
                read.ended()
                        .whenComplete(
                                (_, cause) -> listener.accept(allocated(), Failures.cause(cause)));
    }

    private Allocation allocated() {
        return allocation.isCompletedExceptionally() ? null : allocation.getNow(null);
    }

    /**
     * Submits the request. The calling thread carries it out if nothing else is under way and its
     * bytes are in the page cache. The thread then also spins for a moment, because the copy takes
     * less time than waking the caller.
     *
     * @param isAlone whether nothing else is under way
     */
    void submit(HostWorkers workers, ReadRequest request, boolean isAlone) {
        request.whenEnded(this::decoded);
        read.setRequest(request);
        if (!isAlone) {
            workers.submit(request);
            return;
        }
        executor.work().post(_ -> {}); // wakes the device thread while the caller decodes
        workers.submitAndHelp(request, content.byteSize());
        long end = System.nanoTime() + AWAKE_NANOS;
        while (isDecoded && !read.ended().isDone() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /**
     * Ends a read whose request was refused. The request has not begun, so it does not end by
     * itself.
     */
    void refused(Throwable cause) {
        decoded(cause);
    }

    private void decoded(Throwable cause) {
        if (cause != null) {
            read.fail(cause);
        }
        isDecoded = true;
        executor.work().post(this::copy);
    }

    /**
     * Copies on the device thread. The allocation has run before, because commands keep their
     * order.
     */
    private void copy(DeviceCommands device) {
        CompletableFuture<Void> copied = new CompletableFuture<>();
        var _ = copied.whenComplete((_, cause) -> end(cause));
        if (allocation.isCompletedExceptionally()) {
            copied.completeExceptionally(allocation.exceptionNow());
        } else if (read.hasFailed()) {
            copied.complete(null);
        } else {
            DeviceSlice target = callers == null ? allocation.join().slice() : callers;
            copy(device, target.slice(0, content.byteSize()), copied);
        }
    }

    private void copy(DeviceCommands device, DeviceSlice target, CompletableFuture<Void> copied) {
        try {
            if (callers != null) {
                device.requireAllocated(target);
            }
        } catch (RuntimeException | Error e) {
            copied.completeExceptionally(e);
            return;
        }
        device.copyIn(slot, content, target, copied);
    }

    private void end(Throwable cause) {
        executor.smallSlots().giveBack(slot);
        read.handedOver(cause);
    }
}
