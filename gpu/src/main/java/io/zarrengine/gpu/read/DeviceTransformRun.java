package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.batch.DeviceCommands;
import io.zarrengine.gpu.transform.TransformLaunch;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.TargetAddress;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transform on a device, from the allocation of its result to its end. Threads: any. */
final class DeviceTransformRun {
    private final DeviceExecutor executor;
    private final DeviceComputation computation;
    private final TargetAddress callers; // null: new memory
    private final List<OnDeviceMemory> sources = new ArrayList<>(); // in use
    private final CompletableFuture<DeviceMemory> result = new CompletableFuture<>();
    private List<TransformLaunch> launches;

    DeviceTransformRun(DeviceExecutor executor, DeviceComputation computation) {
        this.executor = executor;
        this.computation = computation;
        this.callers = computation.target().orElse(null);
    }

    /** {@return the future of the result} */
    CompletableFuture<DeviceMemory> start() {
        try {
            for (DeviceComputation.Channel channel : computation.channels()) {
                use(channel.source());
            }
            launches =
                    computation.channels().stream()
                            .map(channel -> TransformLaunch.of(channel, computation.samples()))
                            .toList();
        } catch (RuntimeException | Error e) {
            refuse(e);
            return result;
        }
        var _ =
                CallersTurn.of(executor, callers)
                        .begins()
                        .whenComplete((_, cause) -> startNow(Failures.cause(cause)));
        return result;
    }

    private void use(DeviceMemory source) {
        if (!(source instanceof OnDeviceMemory own) || !own.isOf(executor)) {
            throw source.hostReason()
                    .<RuntimeException>map(DeviceLostException::new)
                    .orElseGet(() ->
                            new IllegalArgumentException(
                                    "the arrays of a tensor are read by different engines"));
        }
        own.use();
        sources.add(own);
    }

    private void refuse(Throwable cause) {
        sources.forEach(OnDeviceMemory::release);
        result.completeExceptionally(cause);
    }

    private void startNow(Throwable refusal) {
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        try {
            executor.work().transformBegins();
        } catch (RuntimeException | Error e) {
            refuse(e);
            return;
        }
        if (computation.bytes() == 0) {
            ended(new DeviceSlice(0, 0), null, null);
        } else if (callers != null) {
            DeviceSlice target = new DeviceSlice(callers.pointer(), computation.bytes());
            executor.work().post(device -> transformToCallers(device, target));
        } else {
            var _ = executor.allocate(computation.bytes()).whenComplete(this::allocated);
        }
    }

    private void transformToCallers(DeviceCommands device, DeviceSlice target) {
        try {
            device.requireAllocated(target);
        } catch (RuntimeException | Error e) {
            ended(null, null, e);
            return;
        }
        transform(device, target, null);
    }

    private void allocated(Allocation allocation, Throwable refusal) {
        if (refusal != null) {
            ended(null, null, executor.ofRefusal(refusal));
            return;
        }
        DeviceSlice target = allocation.slice().slice(0, computation.bytes());
        executor.work().post(device -> transform(device, target, allocation));
    }

    private void transform(DeviceCommands device, DeviceSlice target, Allocation allocation) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        var _ = done.whenComplete((_, failure) -> ended(target, allocation, failure));
        device.transform(launches, target, done);
    }

    private void ended(DeviceSlice target, Allocation allocation, Throwable failure) {
        sources.forEach(OnDeviceMemory::release);
        executor.work().transformEnded();
        if (failure == null) {
            result.complete(new OnDeviceMemory(executor, target, allocation, callers == null));
            return;
        }
        if (allocation != null) {
            var _ = executor.free(allocation, List.of());
        }
        result.completeExceptionally(failure);
    }
}
