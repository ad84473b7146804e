package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.device.DeviceComputation.Channel;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReadFutures;
import io.zarrengine.zarr.device.TargetAddress;
import io.zarrengine.zarr.transform.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Transforms batches on the GPU that holds them. A loader calls this. Threads: any. */
public final class DeviceTransforms {
    private DeviceTransforms() {}

    /**
     * Starts to transform batches. The result has the channels of each sample one after another.
     *
     * @param kernels the transform of the samples of each batch
     * @param batches on one GPU, of as many samples each; they may be closed meanwhile
     * @param type of the result, which each kernel gives
     * @param shape of the result: (samples, shape of all channels of a sample)
     * @param target where the result goes, on that GPU
     * @return the future of a new tensor, which the caller closes; it fails with an {@link
     *     IllegalArgumentException} if the GPU has no room for a transform, and as a read to a GPU
     */
    public static CompletableFuture<DeviceTensor> start(
            List<Kernel> kernels,
            List<DeviceTensor> batches,
            NumericType type,
            long[] shape,
            Target target) {
        if (kernels.stream().anyMatch(kernel -> kernel.program().result() != type)) {
            throw new IllegalArgumentException("a kernel gives no " + type.typeName());
        }
        long samples = shape[0];
        long elements = Arrays.stream(shape).skip(1).reduce(1, Math::multiplyExact);
        long each = elements / kernels.size();
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < kernels.size(); i++) {
            DeviceTensor batch = batches.get(i);
            long size = batch.byteSize() / batch.dataType().byteSize();
            channels.add(
                    new Channel(
                            kernels.get(i).program(),
                            batch.memory(),
                            samples == 0 ? 0 : size / samples,
                            i * each,
                            elements));
        }
        long bytes = samples * elements * type.byteSize();
        target.check(bytes, type.byteSize());
        Optional<TargetAddress> callers =
                target.isNew() ? Optional.empty() : Optional.of(target.memory());
        DeviceTensor first = batches.getFirst();
        // The device's thread must not run the code of a caller, also if it fails.
        CompletableFuture<DeviceTensor> result = new CompletableFuture<>();
        DeviceReadFutures.End<DeviceTensor> end =
                new DeviceReadFutures.End<>(
                        memory -> new DeviceTensor(memory, first.device(), type, shape),
                        (made, failure) -> {
                            if (failure == null) {
                                result.complete(made);
                            } else {
                                result.completeExceptionally(failure);
                            }
                        });
        CompletableFuture<DeviceMemory> computed =
                first.memory().compute(new DeviceComputation(bytes, samples, channels, callers));
        var _ = computed.whenComplete(end::end);
        return result;
    }
}
