package io.zarrengine.bench.gpu;

import io.zarrengine.bindings.NativeMemory;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the drive gives: threads read an array's shards around the page cache, to huge pages that
 * are used again and again.
 */
final class DriveReads implements AutoCloseable {
    private static final int[] THREADS = {8, 16, 64}; // and so many reads in the drive's queue
    private static final int THREADS_MAX = 64;
    private static final int READ_BYTES = 1 << 20;
    private static final int ROUNDS = 3;

    /** A part of a file. */
    private record Part(PreadFile file, long offset) {}

    private final Opened files = new Opened();
    private final NativeMemory memory = NativeMemory.allocate((long) THREADS_MAX * READ_BYTES);
    private final List<Part> parts = new ArrayList<>();
    private long bytes;
    private int bestThreads;
    private final AtomicInteger next = new AtomicInteger();
    private final LongAdder arrived = new LongAdder(); // bytes
    private volatile Exception failure;

    private final DriveLoad load;

    private DriveReads(DriveLoad load) {
        this.load = load;
    }

    /**
     * Opens an array's shards, and looks for the best number of threads.
     *
     * @throws IOException if the file system reads nothing around the page cache
     */
    static DriveReads open(GpuArray array) throws IOException {
        DriveReads reads = new DriveReads(DriveLoad.of(array.path()));
        try {
            for (Path shard : array.shards()) {
                reads.add(shard);
            }
            reads.chooseThreads();
            return reads;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            reads.close();
            throw t;
        }
    }

    /** {@return the load of the drive, with that of everybody else} */
    DriveLoad load() {
        return load;
    }

    private void add(Path shard) throws IOException {
        PreadFile file = files.add(PreadFile.open(shard, true));
        long size = Files.size(shard);
        bytes += size;
        for (long offset = 0; offset < size; offset += READ_BYTES) {
            parts.add(new Part(file, offset));
        }
    }

    /** In turns, since the drive becomes slower meanwhile. */
    private void chooseThreads() throws IOException {
        double[] sums = new double[THREADS.length];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < THREADS.length; i++) {
                sums[i] += passRate(THREADS[i]);
            }
        }
        int best = 0;
        for (int i = 1; i < THREADS.length; i++) {
            best = sums[i] > sums[best] ? i : best;
        }
        bestThreads = THREADS[best];
    }

    /** {@return encoded GB/s of passes over the array for so long} */
    double rate(double seconds) throws IOException {
        long begin = System.nanoTime();
        double sum = 0; // of what each byte takes
        int passes = 0;
        do {
            sum += 1 / passRate(bestThreads);
            passes++;
        } while (System.nanoTime() - begin < seconds * 1e9);
        return passes / sum;
    }

    private double passRate(int count) throws IOException {
        next.set(0);
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            MemorySegment buffer = memory.segment().asSlice((long) i * READ_BYTES, READ_BYTES);
            threads.add(Thread.ofPlatform().daemon().start(() -> read(buffer)));
        }
        Threads.join(threads);
        long nanos = System.nanoTime() - begin;
        if (failure != null) {
            throw new IOException(failure);
        }
        if (arrived.sumThenReset() != bytes) {
            throw new EOFException("not all of " + bytes + " bytes were read");
        }
        return (double) bytes / nanos;
    }

    private void read(MemorySegment buffer) {
        try (PreadFile.Reader reader = new PreadFile.Reader()) {
            for (int i = next.getAndIncrement();
                    i < parts.size() && failure == null;
                    i = next.getAndIncrement()) {
                arrived.add(reader.read(parts.get(i).file(), buffer, parts.get(i).offset()));
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public void close() throws IOException {
        try (memory) {
            files.close();
        }
    }
}
