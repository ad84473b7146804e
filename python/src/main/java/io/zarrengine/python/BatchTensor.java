package io.zarrengine.python;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumpyDescription;
import io.zarrengine.zarr.loader.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * A tensor of a batch. The batch is closed when the last of its tensors is. Threads: any.
 *
 * @param tensor a {@link HostTensor} or {@link DeviceTensor}
 * @param shared its batch
 */
record BatchTensor(Object tensor, Shared shared) implements AutoCloseable {
    /** A batch, and how many of its tensors are open. */
    record Shared(Batch<?> batch, AtomicInteger open) {}

    /**
     * Returns a batch as {@code {its epoch, padding, next epoch, next sample, samples, tensors}}:
     * the number of samples and their numbers; then for each tensor how many numbers follow, and a
     * result of {@link EntryPoints}.
     */
    static long[] numbers(Batch<?> batch, Handles<AutoCloseable> results) {
        Shared shared = new Shared(batch, new AtomicInteger(batch.tensors().size()));
        List<long[]> parts = new ArrayList<>();
        long[] samples = batch.samples();
        parts.add(
                new long[] {
                    batch.epoch(),
                    batch.padding(),
                    batch.next().epoch(),
                    batch.next().sample(),
                    samples.length
                });
        parts.add(samples);
        for (Object tensor : batch.tensors().values()) {
            long handle = results.add(new BatchTensor(tensor, shared));
            long[] result =
                    tensor instanceof HostTensor host
                            ? EntryPoints.numbers(handle, host)
                            : EntryPoints.numbers(handle, (DeviceTensor) tensor);
            parts.add(new long[] {result.length});
            parts.add(result);
        }
        return parts.stream().flatMapToLong(LongStream::of).toArray();
    }

    /** Returns for each tensor of its batch the name, the type, and NumPy's name of the type. */
    String[] describe() {
        List<String> words = new ArrayList<>();
        shared.batch()
                .tensors()
                .forEach((name, each) -> {
                    DataType type = type(each);
                    words.addAll(List.of(name, type.typeName(), NumpyDescription.of(type)));
                });
        return words.toArray(String[]::new);
    }

    private static DataType type(Object tensor) {
        return tensor instanceof HostTensor host
                ? host.dataType()
                : ((DeviceTensor) tensor).dataType();
    }

    @Override
    public void close() {
        if (tensor instanceof DeviceTensor onDevice) { // Its streams are those of now.
            onDevice.closeIfOpen();
            CallersWork.add(onDevice);
        }
        if (shared.open().decrementAndGet() == 0) {
            shared.batch().close();
        }
    }
}
