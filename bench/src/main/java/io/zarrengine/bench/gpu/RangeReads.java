package io.zarrengine.bench.gpu;

import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Threads that bring random ranges of a file to places on the device, each range to a place of its
 * own while it is under way.
 *
 * <p>Owner: who opened it, on the device's thread. Threads: the device's calls; it starts others.
 */
abstract class RangeReads implements AutoCloseable {
    final RandomFile file;
    final int threads;
    final int rangeBytes;

    /** By place: where its range is in the file; -1 if it has none. */
    final long[] offsets;

    private volatile Throwable failure;

    RangeReads(RandomFile file, int threads, int rangeBytes, int places) {
        this.file = file;
        this.threads = threads;
        this.rangeBytes = rangeBytes;
        offsets = new long[places];
        Arrays.fill(offsets, -1);
    }

    /** Brings ranges until a time; returns how many. */
    abstract long read(int thread, SplittableRandom random, long end) throws IOException;

    /** What the device's thread does while the others read. */
    abstract void serve(List<Thread> readers) throws IOException;

    /** All places, one after the other. */
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
