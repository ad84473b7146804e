package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.transform.TransformLaunch;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transform on a device, from the allocation of its result to its end. Threads: any. */
final class DeviceTransformRun {
    private final DeviceExecutor executor;
    private final DeviceComputation computation;
    private final List<OnDeviceMemory> sources = new ArrayList<>(); // in use
    private final CompletableFuture<DeviceMemory> result = new CompletableFuture<>();

    DeviceTransformRun(DeviceExecutor executor, DeviceComputation computation) {
        this.executor = executor;
        this.computation = computation;
    }

    /** {@return the future of the result} */
    CompletableFuture<DeviceMemory> start() {
        List<TransformLaunch> launches;
        try {
            for (DeviceComputation.Channel channel : computation.channels()) {
                use(channel.source());
            }
            launches =
                    computation.channels().stream()
                            .map(channel -> TransformLaunch.of(channel, computation.samples()))
                            .toList();
            executor.work().transformBegins();
        } catch (RuntimeException | Error e) {
            sources.forEach(OnDeviceMemory::release);
            return CompletableFuture.failedFuture(e);
        }
        if (computation.bytes() == 0) {
            ended(new DeviceSlice(0, 0), null, null);
        } else {
            var _ =
                    executor.allocate(computation.bytes())
                            .whenComplete((allocation, refusal) ->
                                    allocated(launches, allocation, refusal));
        }
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

    private void allocated(
            List<TransformLaunch> launches, Allocation allocation, Throwable refusal) {
        if (refusal != null) {
            ended(null, null, executor.ofRefusal(refusal));
            return;
        }
        DeviceSlice target = allocation.slice().slice(0, computation.bytes());
        CompletableFuture<Void> done = new CompletableFuture<>();
        var _ = done.whenComplete((_, failure) -> ended(target, allocation, failure));
        executor.work().post(device -> device.transform(launches, target, done));
    }

    private void ended(DeviceSlice target, Allocation allocation, Throwable failure) {
        sources.forEach(OnDeviceMemory::release);
        executor.work().transformEnded();
        if (failure == null) {
            result.complete(new OnDeviceMemory(executor, target, allocation, true));
            return;
        }
        if (allocation != null) {
            var _ = executor.free(allocation, List.of());
        }
        result.completeExceptionally(failure);
    }
}
