package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.HostTensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Computes one batch: waits until it is read, then divides it into parts, which this thread and
 * idle ones take one by one. This thread needs no other to finish, so a busy pool cannot block it.
 */
final class TransformTask implements BatchSource.Pending<HostTensor>, Runnable {
    /** Elements of a part: some tens of microseconds, so that threads end at about one time. */
    private static final long PART_ELEMENTS = 1 << 17;

    /** Rows of one channel of one sample. */
    private record Part(
            Output.Channel channel,
            long[] sampleShape,
            MemorySegment source,
            long base,
            MemorySegment target,
            long to,
            long begin,
            long end) {
        void run() {
            Output.Made kernel = channel.take(sampleShape);
            kernel.kernel().run(source, base, target, to, begin, end);
            channel.giveBack(kernel);
        }
    }

    private final Samples samples;
    private final BatchSource.Pending<HostTensor> read;
    private final List<Output> outputs;
    private final List<LoaderMemory> memories;
    private final Executor helpers;
    private final int threads;
    private final CompletableFuture<Map<String, HostTensor>> done = new CompletableFuture<>();
    private final AtomicInteger next = new AtomicInteger(); // the next part
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Phaser busy = new Phaser(1); // this thread, and helpers that have begun
    private List<Part> parts = List.of();

    TransformTask(
            Samples samples,
            BatchSource.Pending<HostTensor> read,
            List<Output> outputs,
            List<LoaderMemory> memories,
            Executor helpers,
            int threads) {
        this.samples = samples;
        this.read = read;
        this.outputs = outputs;
        this.memories = memories;
        this.helpers = helpers;
        this.threads = threads;
    }

    @Override
    public void run() {
        Map<String, HostTensor> results = new LinkedHashMap<>();
        try {
            compute(read.await(), results);
        } catch (ExecutionException e) {
            failure.compareAndSet(null, e.getCause());
        } catch (InterruptedException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
        try {
            read.release();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
        Throwable failed = failure.get(); // once: it may be cancelled now
        if (failed == null) {
            done.complete(results);
        } else {
            results.values().forEach(HostTensor::closeIfOpen);
            done.completeExceptionally(failed);
        }
    }

    private void compute(Map<String, HostTensor> tensors, Map<String, HostTensor> results) {
        int count = samples.numbers().length;
        List<HostTensor> sources = new ArrayList<>(tensors.values());
        List<long[]> shapes = new ArrayList<>();
        for (HostTensor source : sources) {
            shapes.add(sampleShape(source, count));
        }
        List<Part> all = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Output output = outputs.get(i);
            HostTensor target = output.allocate(memories.get(i), count, shapes);
            results.put(output.name(), target);
            addParts(output, sources, shapes, target, all);
        }
        parts = all;
        for (int i = 1; i < Math.min(threads, all.size()); i++) {
            helpers.execute(this::help);
        }
        takeParts();
        busy.arriveAndAwaitAdvance();
        busy.forceTermination(); // Helpers that begin later find nothing to do.
    }

    private static long[] sampleShape(HostTensor tensor, int samples) {
        long[] shape = tensor.shape();
        if (shape[0] != samples) {
            throw new IllegalArgumentException(
                    "the samples of a batch differ in shape: transforms need one shape");
        }
        return Arrays.copyOfRange(shape, 1, shape.length);
    }

    private static void addParts(
            Output output,
            List<HostTensor> sources,
            List<long[]> shapes,
            HostTensor target,
            List<Part> parts) {
        int channels = output.channels().size();
        long samples = target.shape()[0];
        long[] all = target.shape();
        long size = Grid.count(Arrays.copyOfRange(all, output.isStack() ? 2 : 1, all.length));
        MemorySegment to = target.segment();
        for (int c = 0; c < channels; c++) {
            Output.Channel channel = output.channels().get(c);
            long[] shape = shapes.get(channel.variable());
            MemorySegment source = sources.get(channel.variable()).segment();
            Output.Made kernel = channel.take(shape);
            long rows = kernel.kernel().rows();
            long together = Math.max(1, PART_ELEMENTS / Math.max(1, kernel.kernel().rowLength()));
            channel.giveBack(kernel);
            for (long s = 0; s < samples; s++) {
                long base = s * Grid.count(shape);
                long at = (s * channels + c) * size;
                for (long row = 0; row < rows; row += together) {
                    long end = Math.min(rows, row + together);
                    parts.add(new Part(channel, shape, source, base, to, at, row, end));
                }
            }
        }
    }

    private void help() {
        if (busy.register() >= 0) { // negative: all parts are done
            takeParts();
            busy.arriveAndDeregister();
        }
    }

    private void takeParts() {
        try {
            for (int i = next.getAndIncrement(); i < parts.size(); i = next.getAndIncrement()) {
                if (failure.get() != null) {
                    return;
                }
                parts.get(i).run();
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    @Override
    public Map<String, HostTensor> await() throws InterruptedException, ExecutionException {
        return done.get();
    }

    @Override
    public void cancel() {
        failure.compareAndSet(null, new CancellationException("cancelled"));
        read.cancel();
    }

    @Override
    public void release() {
        cancel();
        Map<String, HostTensor> results = done.exceptionally(e -> null).join();
        if (results != null) {
            results.values().forEach(HostTensor::closeIfOpen);
        }
    }
}
