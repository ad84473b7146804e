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
 * Measures the speed of the drive: threads read an array's shards around the page cache, to huge
 * pages that are reused, or to memory from which a GPU copies.
 */
final class DriveReads implements AutoCloseable {
    /**
     * A way of reading.
     *
     * @param threads threads, each with one read in the drive's queue
     * @param readBytes size of a read
     */
    private record Way(int threads, int readBytes) {}

    private static final List<Way> WAYS =
            List.of(
                    new Way(8, 1 << 20),
                    new Way(16, 1 << 20),
                    new Way(64, 1 << 20),
                    new Way(8, 512 << 10),
                    new Way(16, 256 << 10));
    private static final int ROUNDS = 3;

    /** The memory that threads read to, and the work done with it. */
    interface Destination {
        /** {@return memory for the next read of a thread} Called by that thread; may wait. */
        MemorySegment next(int thread);

        /** Reports the end of a thread's read and its bytes; 0 if it failed. */
        void arrived(int thread, long bytes);

        /** Works until the threads have ended and their reads are processed. */
        void workBeside(List<Thread> readers) throws IOException;
    }

    /** Memory of each thread that is not used after the read. */
    private final class Discarded implements Destination {
        private final int readBytes;

        Discarded(Way way) {
            readBytes = way.readBytes;
        }

        @Override
        public MemorySegment next(int thread) {
            return memory.segment().asSlice((long) thread * readBytes, readBytes);
        }

        @Override
        public void arrived(int thread, long bytes) {}

        @Override
        public void workBeside(List<Thread> readers) throws IOException {
            Threads.join(readers);
        }
    }

    /** A file, and its length. */
    private record Shard(PreadFile file, long bytes) {}

    /** A part of a file. */
    private record Part(PreadFile file, long offset) {}

    private final CloseStack files = new CloseStack();
    private final List<Shard> shards = new ArrayList<>();
    private final NativeMemory memory =
            NativeMemory.allocate(
                    WAYS.stream()
                            .mapToLong(way -> (long) way.threads * way.readBytes)
                            .max()
                            .orElseThrow());
    private long bytes;
    private Way best;
    private final AtomicInteger next = new AtomicInteger();
    private final LongAdder arrived = new LongAdder(); // bytes
    private volatile Exception failure;

    private final DriveLoad load;

    private DriveReads(DriveLoad load) {
        this.load = load;
    }

    /**
     * Opens an array's shards and finds the best way to read them.
     *
     * @throws IOException if the file system supports no direct reads
     */
    static DriveReads open(GpuArray array) throws IOException {
        DriveReads reads = new DriveReads(DriveLoad.of(array.path()));
        try {
            for (Path shard : array.shards()) {
                reads.add(shard);
            }
            reads.choose();
            return reads;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            reads.close();
            throw t;
        }
    }

    /** {@return the load of the drive, including other programs} */
    DriveLoad load() {
        return load;
    }

    private void add(Path shard) throws IOException {
        Shard opened = new Shard(files.add(PreadFile.open(shard, true)), Files.size(shard));
        shards.add(opened);
        bytes += opened.bytes;
    }

    /** Chooses the best way. Measures in turns, because the drive becomes slower meanwhile. */
    private void choose() throws IOException {
        double[] sums = new double[WAYS.size()];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += passRate(WAYS.get(i), new Discarded(WAYS.get(i)));
            }
        }
        int most = 0;
        for (int i = 1; i < sums.length; i++) {
            most = sums[i] > sums[most] ? i : most;
        }
        best = WAYS.get(most);
    }

    private List<Part> parts(int readBytes) {
        List<Part> parts = new ArrayList<>();
        for (Shard shard : shards) {
            for (long offset = 0; offset < shard.bytes; offset += readBytes) {
                parts.add(new Part(shard.file, offset));
            }
        }
        return parts;
    }

    /**
     * {@return a destination for {@link #rate}, for the best way, that copies all reads to a GPU}
     */
    DriveCopies openCopies() throws IOException {
        return DriveCopies.open(best.threads, best.readBytes);
    }

    /** {@return encoded GB/s of passes over the array for some seconds} */
    double rate(double seconds) throws IOException {
        return rate(seconds, new Discarded(best));
    }

    /** {@return the same with another destination} */
    double rate(double seconds, Destination destination) throws IOException {
        long begin = System.nanoTime();
        double sum = 0; // seconds per byte
        int passes = 0;
        do {
            sum += 1 / passRate(best, destination);
            passes++;
        } while (System.nanoTime() - begin < seconds * 1e9);
        return passes / sum;
    }

    private double passRate(Way way, Destination destination) throws IOException {
        next.set(0);
        List<Part> parts = parts(way.readBytes);
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < way.threads; i++) {
            int thread = i;
            threads.add(Thread.ofPlatform().daemon().start(() -> read(parts, thread, destination)));
        }
        destination.workBeside(threads);
        long nanos = System.nanoTime() - begin;
        if (failure != null) {
            throw new IOException(failure);
        }
        if (arrived.sumThenReset() != bytes) {
            throw new EOFException("not all of " + bytes + " bytes were read");
        }
        return (double) bytes / nanos;
    }

    private void read(List<Part> parts, int thread, Destination destination) {
        try (PreadFile.Reader reader = new PreadFile.Reader()) {
            for (int i = next.getAndIncrement();
                    i < parts.size() && failure == null;
                    i = next.getAndIncrement()) {
                Part part = parts.get(i);
                MemorySegment target = destination.next(thread);
                long read = 0;
                try {
                    read = reader.read(part.file, target, part.offset);
                } finally {
                    destination.arrived(thread, read);
                }
                arrived.add(read);
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
