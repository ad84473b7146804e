package io.zarrengine.bench.gpu;

import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Threads that read random ranges of a file to places on the device. Each range has its own place
 * while its read is in progress.
 *
 * <p>Owner: its opener, on the device's thread. Threads: the device's calls; it starts others.
 */
abstract class RangeReads implements AutoCloseable {
    final RandomFile file;
    final int threads;
    final int rangeBytes;

    /** The offset of the range in each place; -1 for none. */
    final long[] offsets;

    private volatile Throwable failure;

    RangeReads(RandomFile file, int threads, int rangeBytes, int places) {
        this.file = file;
        this.threads = threads;
        this.rangeBytes = rangeBytes;
        offsets = new long[places];
        Arrays.fill(offsets, -1);
    }

    /** Reads ranges until a time; returns their number. */
    abstract long read(int thread, SplittableRandom random, long end) throws IOException;

    /** Does the work of the device's thread while the others read. */
    abstract void serve(List<Thread> readers) throws IOException;

    /** Returns all places, one after the other. */
    abstract DeviceSlice places();

    @Override
    public abstract void close() throws IOException;

    /** {@return GB/s that arrive on the device} */
    final double rate(long nanos, long seed) throws IOException {
        long[] counts = new long[threads];
        long begin = System.nanoTime();
        List<Thread> readers = new ArrayList<>();
        IntStream.range(0, threads)
                .forEach(i ->
                        readers.add(
                                Thread.ofPlatform()
                                        .daemon()
                                        .start(() -> run(counts, i, seed, begin + nanos))));
        serve(readers);
        Threads.join(readers);
        long took = System.nanoTime() - begin;
        if (failure != null) {
            throw new IOException(failure);
        }
        return (double) Arrays.stream(counts).sum() * rangeBytes / took;
    }

    private void run(long[] counts, int thread, long seed, long end) {
        try {
            counts[thread] = read(thread, new SplittableRandom(seed + thread), end);
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    final boolean hasFailed() {
        return failure != null;
    }
}
