package io.zarrengine.bench.gpu;

import io.zarrengine.bench.compare.Median;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;

/**
 * What the drive gives: threads read an array's shards around the page cache, to memory that is
 * used again and again.
 */
final class DriveReads {
    private static final int THREADS = 64; // and so many reads in the drive's queue
    private static final int READ_BYTES = 1 << 20;
    private static final int ALIGNMENT = 4096;
    private static final int ROUNDS = 3;

    /** A part of a file. */
    private record Part(PreadFile file, long offset) {}

    private final List<Part> parts = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private volatile IOException failure;

    private DriveReads() {}

    /**
     * {@return encoded GB/s: the median of some rounds}
     *
     * @throws IOException if the file system reads nothing around the page cache
     */
    static double rate(GpuArray array) throws IOException {
        DriveReads reads = new DriveReads();
        long bytes = 0;
        try (Opened files = new Opened()) {
            for (Path shard : array.shards()) {
                PreadFile file = files.add(PreadFile.open(shard, true));
                bytes += Files.size(shard);
                for (long offset = 0; offset < Files.size(shard); offset += READ_BYTES) {
                    reads.parts.add(new Part(file, offset));
                }
            }
            double[] rates = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                rates[round] = bytes / reads.nanos();
            }
            return Median.of(DoubleStream.of(rates));
        }
    }

    private double nanos() throws IOException {
        next.set(0);
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().daemon().start(this::read));
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }
        if (failure != null) {
            throw failure;
        }
        return System.nanoTime() - begin;
    }

    private void read() {
        try (Arena arena = Arena.ofConfined();
                PreadFile.Reader reader = new PreadFile.Reader()) {
            MemorySegment buffer = arena.allocate(READ_BYTES, ALIGNMENT);
            for (int i = next.getAndIncrement();
                    i < parts.size() && failure == null;
                    i = next.getAndIncrement()) {
                reader.read(parts.get(i).file(), buffer, parts.get(i).offset());
            }
        } catch (IOException e) {
            failure = e;
        }
    }
}
