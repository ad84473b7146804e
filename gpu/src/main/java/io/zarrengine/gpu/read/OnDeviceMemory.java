package io.zarrengine.gpu.read;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.device.DeviceMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A result in device memory. */
final class OnDeviceMemory implements DeviceMemory {
    /** The largest handle of CUDA's legacy default stream, which nobody closes; 0 is one too. */
    private static final long LEGACY_DEFAULT = 1;

    private final DeviceExecutor executor;
    private final DeviceSlice slice;
    private final Allocation allocation; // null: the caller's memory, or none
    private final boolean isOwn;
    private final UseCount users =
            new UseCount("device memory"); // the owner, running copies and transforms
    private final Set<Long> streams = ConcurrentHashMap.newKeySet(); // of the caller
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private final CompletableFuture<Void> unused = new CompletableFuture<>();

    OnDeviceMemory(
            DeviceExecutor executor, DeviceSlice slice, Allocation allocation, boolean isOwn) {
        this.executor = executor;
        this.slice = slice;
        this.allocation = allocation;
        this.isOwn = isOwn;
    }

    @Override
    public long pointer() {
        return slice.address();
    }

    @Override
    public long byteSize() {
        return slice.byteSize();
    }

    @Override
    public boolean isOwn() {
        return isOwn;
    }

    @Override
    public Optional<String> hostReason() {
        return Optional.empty();
    }

    @Override
    public void copyTo(MemorySegment target) {
        users.add();
        try {
            copyHeld(target);
        } finally {
            release();
        }
    }

    /**
     * Copies memory that is in use. An allocation keeps the device thread running; the caller's
     * memory does not, so the copy holds the thread.
     */
    private void copyHeld(MemorySegment target) {
        boolean isHeld = isOwn || slice.byteSize() == 0;
        if (!isHeld) {
            executor.work().hold();
        }
        try {
            new CopyBack(executor, slice, target).run();
        } finally {
            if (!isHeld) {
                executor.work().letGo();
            }
        }
    }

    @Override
    public CompletableFuture<DeviceMemory> compute(DeviceComputation computation) {
        return new DeviceTransformRun(executor, computation).start();
    }

    /** {@return whether this is memory of a device} */
    boolean isOf(DeviceExecutor other) {
        return executor.equals(other);
    }

    /** Begins a use, which keeps the memory after {@link #close} until {@link #release}. */
    void use() {
        users.add();
    }

    void release() {
        if (!users.removeIsLast()) {
            return;
        }
        CompletableFuture<Void> passed = new CompletableFuture<>();
        if (allocation != null) {
            passed = executor.free(allocation, streams).thenRun(() -> freed.complete(null));
        } else if (streams.isEmpty()) {
            freed.complete(null);
            passed.complete(null);
        } else {
            passed = executor.passed(List.copyOf(streams), freed);
        }
        var _ = passed.whenComplete((_, failure) -> Failures.complete(unused, failure));
    }

    @Override
    public CompletableFuture<Void> whenUnused() {
        return unused;
    }

    @Override
    public void recordStream(long stream) {
        streams.add(stream);
    }

    /**
     * Running copies and transforms still finish. If the caller has named streams that it may close
     * now, waits for the device thread, which notes their work. That may take milliseconds while
     * all cores decode.
     */
    @Override
    public void close() {
        release();
        if (streams.stream().anyMatch(OnDeviceMemory::mayBeClosed)) {
            freed.join();
        }
    }

    /** Returns whether a stream is one that a caller has opened. */
    private static boolean mayBeClosed(long stream) {
        return stream > LEGACY_DEFAULT;
    }

    /** The caller's streams may be closed before the memory is freed: they are not used again. */
    @Override
    public void forget() {
        executor.forgotten()
                .add(() -> {
                    streams.clear();
                    close();
                });
    }
}
