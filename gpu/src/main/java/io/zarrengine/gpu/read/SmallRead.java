package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.gpu.batch.DeviceCommands;
import io.zarrengine.zarr.device.HostWorkers;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A small read: the host decodes and places it in a pinned slot, and one copy brings it to the
 * device. A launch would take milliseconds, and each hand-over from thread to thread takes as long
 * as half a chunk: here there is one, to the device's thread, which allocates meanwhile and waits
 * awake.
 *
 * <p>Threads: any.
 */
final class SmallRead {
    /** Longer than copying a chunk takes, and shorter than to fall asleep and be woken again. */
    private static final long AWAKE_NANOS = 50_000;

    private final DeviceExecutor executor;
    private final PinnedRing.Slot slot;
    private final MemorySegment content;
    private final DeviceSlice callers; // null: new memory
    private final CompletableFuture<Allocation> allocation;
    private final DeviceRead read;
    private volatile boolean isDecoded;

    /**
     * Begins.
     *
     * @param slot from {@link SmallSlots#tryTake}
     * @param callers where it goes; null for new memory
     * @param content the part of the slot that the host puts the elements in
     */
    SmallRead(
            DeviceExecutor executor,
            PinnedRing.Slot slot,
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

    /** What it is to the executor, which may fail it. */
    DeviceRead read() {
        return read;
    }

    /** Has a listener told when nobody writes to the target any more: where it is, or a failure. */
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
     * Has the request carried out: by the calling thread, if nothing else is under way and its
     * bytes are in the page cache. Then this also waits for a moment, since the copy takes less
     * than to wake the caller up again.
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
        executor.work().post(_ -> {}); // It wakes up while the caller decodes.
        workers.submitAndHelp(request, content.byteSize());
        long end = System.nanoTime() + AWAKE_NANOS;
        while (isDecoded && !read.ended().isDone() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** The request was refused: it has not begun, so nobody else ends it. */
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

    /** On the device's thread, which has allocated before: commands keep their order. */
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
