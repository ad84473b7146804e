package io.zarrengine.zarr.loader;

import io.zarrengine.uring.reading.CompletionThread;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.DeviceTransforms;
import io.zarrengine.zarr.transform.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Computes batches from those of another source, on their GPU.
 *
 * <p>Owner: the loader. Threads: one at a time.
 *
 * @param reads the other source
 * @param outputs the computed tensors
 * @param blocks hold them
 */
record DeviceTransformedBatches(
        BatchSource<DeviceTensor> reads, List<Output> outputs, DeviceBlocks blocks)
        implements BatchSource<DeviceTensor> {
    @Override
    public Pending<DeviceTensor> start(Samples samples) {
        Computing batch = new Computing(samples, reads.start(samples));
        batch.start(CompletionThread::start);
        return batch;
    }

    private final class Computing extends TransformedBatch<DeviceTensor> {
        private final int samples;

        Computing(Samples samples, Pending<DeviceTensor> read) {
            super(read, blocks::release);
            this.samples = samples.numbers().length;
        }

        @Override
        void compute(Map<String, DeviceTensor> tensors, Map<String, DeviceTensor> results) {
            List<DeviceTensor> sources = List.copyOf(tensors.values());
            List<long[]> shapes =
                    sources.stream()
                            .map(source -> Output.sampleShape(source.shape(), samples))
                            .toList();
            List<CompletableFuture<DeviceTensor>> begun = new ArrayList<>();
            try {
                for (int i = 0; i < outputs.size(); i++) {
                    if (!hasFailed()) {
                        begun.add(begin(i, sources, shapes));
                    }
                }
            } finally { // What has begun must end.
                for (int i = 0; i < begun.size(); i++) {
                    end(outputs.get(i), begun.get(i), results);
                }
            }
        }

        private CompletableFuture<DeviceTensor> begin(
                int index, List<DeviceTensor> sources, List<long[]> shapes) {
            Output output = outputs.get(index);
            List<Kernel> kernels = new ArrayList<>();
            List<DeviceTensor> batches = new ArrayList<>();
            for (Output.Channel channel : output.channels()) {
                Output.Made made = channel.take(shapes.get(channel.variable()));
                kernels.add(made.kernel());
                batches.add(sources.get(channel.variable()));
                channel.giveBack(made);
            }
            long[] shape = output.batchShape(samples, shapes);
            long bytes = Grid.count(shape) * output.type().byteSize();
            return blocks.fill(
                    index,
                    () -> bytes,
                    target ->
                            DeviceTransforms.start(kernels, batches, output.type(), shape, target));
        }

        private void end(
                Output output,
                CompletableFuture<DeviceTensor> computed,
                Map<String, DeviceTensor> results) {
            try {
                results.put(output.name(), computed.join());
            } catch (CompletionException e) {
                failed(e.getCause());
            }
        }
    }

    @Override
    public void release(DeviceTensor tensor) {
        blocks.release(tensor);
    }

    @Override
    public void close() {
        reads.close();
    }
}
