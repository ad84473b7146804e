package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.HostTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Computes batches from those of another source, on threads of its own.
 *
 * <p>Owner: the loader. Threads: one at a time.
 */
final class TransformedBatches implements BatchSource<HostTensor> {
    private final BatchSource<HostTensor> reads;
    private final List<Output> outputs;
    private final List<LoaderMemory> memories = new ArrayList<>(); // one for each output
    private final int threads = Runtime.getRuntime().availableProcessors();
    private final ExecutorService pool =
            Executors.newFixedThreadPool(
                    threads,
                    Thread.ofPlatform().daemon().name("zarr-engine-transform-", 0).factory());

    TransformedBatches(
            BatchSource<HostTensor> reads, List<Output> outputs, Supplier<LoaderMemory> memory) {
        this.reads = reads;
        this.outputs = outputs;
        outputs.forEach(_ -> memories.add(memory.get()));
    }

    @Override
    public Pending<HostTensor> start(Samples samples) {
        Pending<HostTensor> read = reads.start(samples);
        TransformTask task = new TransformTask(samples, read, outputs, memories, pool, threads);
        task.start(pool);
        return task;
    }

    @Override
    public void release(HostTensor tensor) {
        tensor.closeIfOpen();
    }

    /** All batches were released before, so the threads are idle. */
    @Override
    public void close() {
        pool.shutdown();
        memories.forEach(LoaderMemory::close);
        reads.close();
    }
}
