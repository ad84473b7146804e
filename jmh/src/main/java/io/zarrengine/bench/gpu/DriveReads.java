package io.zarrengine.bench.gpu;

import io.zarrengine.bench.compare.Median;
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
import java.util.stream.DoubleStream;

/**
 * What the drive gives: threads read an array's shards around the page cache, to huge pages that
 * are used again and again.
 */
final class DriveReads {
    private static final int[] THREADS = {8, 16, 64}; // and so many reads in the drive's queue
    private static final int THREADS_MAX = 64;
    private static final int READ_BYTES = 1 << 20;
    private static final int ROUNDS = 3;

    /** A part of a file. */
    private record Part(PreadFile file, long offset) {}

    private final List<Part> parts = new ArrayList<>();
    private final List<MemorySegment> buffers = new ArrayList<>(); // by thread
    private final AtomicInteger next = new AtomicInteger();
    private final LongAdder arrived = new LongAdder(); // bytes
    private volatile Exception failure;

    private DriveReads() {}

    /**
     * {@return encoded GB/s: the median of some rounds, with the best number of threads}
     *
     * @throws IOException if the file system reads nothing around the page cache
     */
    static double rate(GpuArray array) throws IOException {
        DriveReads reads = new DriveReads();
        long bytes = 0;
        try (Opened files = new Opened();
                NativeMemory memory = NativeMemory.allocate((long) THREADS_MAX * READ_BYTES)) {
            for (int i = 0; i < THREADS_MAX; i++) {
                reads.buffers.add(memory.segment().asSlice((long) i * READ_BYTES, READ_BYTES));
            }
            for (Path shard : array.shards()) {
                PreadFile file = files.add(PreadFile.open(shard, true));
                bytes += Files.size(shard);
                for (long offset = 0; offset < Files.size(shard); offset += READ_BYTES) {
                    reads.parts.add(new Part(file, offset));
                }
            }
            double best = 0;
            for (int threads : THREADS) {
                best = Math.max(best, reads.rate(threads, bytes));
            }
            return best;
        }
    }

    private double rate(int threads, long bytes) throws IOException {
        double[] rates = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            rates[round] = bytes / nanos(threads);
            if (arrived.sumThenReset() != bytes) {
                throw new EOFException("not all of " + bytes + " bytes were read");
            }
        }
        return Median.of(DoubleStream.of(rates));
    }

    private double nanos(int count) throws IOException {
        next.set(0);
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (MemorySegment buffer : buffers.subList(0, count)) {
            threads.add(Thread.ofPlatform().daemon().start(() -> read(buffer)));
        }
        Threads.join(threads);
        if (failure != null) {
            throw new IOException(failure);
        }
        return System.nanoTime() - begin;
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
}
