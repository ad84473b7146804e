package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.HostTensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Computes one batch: waits until it is read, then divides it into parts, which this thread and
 * idle ones take one by one. This thread needs no other to finish, so a busy pool cannot block it.
 */
final class TransformTask extends TransformedBatch<HostTensor> {
    /** Elements of a part: some tens of microseconds, so that threads end at about one time. */
    private static final long PART_ELEMENTS = 1 << 17;

    /** Rows of one channel of one sample. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
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
    private final List<Output> outputs;
    private final List<LoaderMemory> memories;
    private final Executor helpers;
    private final int threads;
    private final AtomicInteger next = new AtomicInteger(); // the next part
    private final Phaser busy = new Phaser(1); // this thread, and helpers that have begun
    private List<Part> parts = List.of();

    TransformTask(
            Samples samples,
            BatchSource.Pending<HostTensor> read,
            List<Output> outputs,
            List<LoaderMemory> memories,
            Executor helpers,
            int threads) {
        super(read, HostTensor::closeIfOpen);
        this.samples = samples;
        this.outputs = outputs;
        this.memories = memories;
        this.helpers = helpers;
        this.threads = threads;
    }

    @Override
    void compute(Map<String, HostTensor> tensors, Map<String, HostTensor> results) {
        int count = samples.numbers().length;
        List<HostTensor> sources = new ArrayList<>(tensors.values());
        List<long[]> shapes = new ArrayList<>();
        for (HostTensor source : sources) {
            shapes.add(Output.sampleShape(source.shape(), count));
        }
        List<Part> all = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Output output = outputs.get(i);
            HostTensor target =
                    memories.get(i).newTensor(output.type(), output.batchShape(count, shapes));
            results.put(output.name(), target);
            addParts(output, sources, shapes, target, all);
        }
        parts = all;
        try {
            for (int i = 1; i < Math.min(threads, all.size()); i++) {
                helpers.execute(this::help);
            }
            takeParts();
        } finally { // Helpers use the tensors.
            busy.arriveAndAwaitAdvance();
            busy.forceTermination(); // Helpers that begin later find nothing to do.
        }
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
                if (hasFailed()) {
                    return;
                }
                parts.get(i).run();
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }
}
