package io.zarrengine.bench.io;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The twin of {@code random_reads.c}: the same arguments, the same loop, the same line of output.
 *
 * <p>The warm-up is longer, because the compiler works meanwhile; the CPU time is that of the
 * reading threads.
 */
public final class RandomReads {
    private static final long HUGE_PAGE_BYTES = 2 << 20;
    private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final Path file;
    private final ReadBackend backend;
    private final Caching caching;
    private final int readBytes;
    private final int depth;
    private final long measuredNanos;
    private final long seed;
    private final long fileReads;

    private RandomReads(String[] arguments) {
        file = Path.of(arguments[0]);
        backend =
                ReadBackend.of(
                        arguments[1].equals("uring")
                                ? ReadBackend.Method.IO_URING
                                : ReadBackend.Method.PREADV);
        caching = Caching.valueOf(arguments[2].toUpperCase(Locale.ROOT));
        readBytes = Integer.parseInt(arguments[3]);
        depth = Integer.parseInt(arguments[4]);
        measuredNanos = (long) (Double.parseDouble(arguments[6]) * 1e9);
        seed = Long.parseLong(arguments[7]);
        fileReads = Long.parseLong(arguments[8]) / readBytes;
    }

    private record Result(double readsPerSecond, double cpuSeconds, long reads) {}

    /** Runs; see the C program for the arguments. */
    public static void main(String[] arguments) throws Exception {
        RandomReads reads = new RandomReads(arguments);
        int threads = Integer.parseInt(arguments[5]);
        List<Result> results = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long random = (reads.seed + i + 1) * 0x9E3779B97F4A7C15L;
            running.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                Result result = reads.read(random);
                                synchronized (results) {
                                    results.add(result);
                                }
                            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        double perSecond = results.stream().mapToDouble(Result::readsPerSecond).sum();
        double cpuSeconds = results.stream().mapToDouble(Result::cpuSeconds).sum();
        long count = results.stream().mapToLong(Result::reads).sum();
        IO.println(
                String.format(
                        Locale.ROOT,
                        "%.0f reads/s, %.3f us CPU each",
                        perSecond,
                        cpuSeconds * 1e6 / count));
    }

    private Result read(long random) {
        long bytes = Math.max((long) depth * readBytes, HUGE_PAGE_BYTES); // As in the C program.
        try (NativeMemory memory = NativeMemory.allocate(bytes)) {
            MemorySegment slots = memory.segment();
            FileHandle handle = backend.open(file, caching);
            if (caching == Caching.DIRECT && handle.caching() != Caching.DIRECT) {
                throw new IOException(file + " refuses O_DIRECT");
            }
            try (ReadQueue queue = backend.newQueue(depth, List.of(slots))) {
                return new Loop(queue, queue.attach(handle), slots, random).run();
            } finally {
                handle.release();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** One thread's reads. */
    private final class Loop implements ReadListener {
        private final ReadQueue queue;
        private final int fileNumber;
        private final MemorySegment slots;
        private final int[] free = new int[depth];
        private int freeCount;
        private long random;
        private long reads;

        Loop(ReadQueue queue, int fileNumber, MemorySegment slots, long random) {
            this.queue = queue;
            this.fileNumber = fileNumber;
            this.slots = slots;
            this.random = random;
            for (int i = 0; i < depth; i++) {
                free[freeCount++] = i;
            }
        }

        @Override
        public void completed(int token, long result) {
            if (result != readBytes) {
                throw new AssertionError("a read: " + result);
            }
            free[freeCount++] = token;
            reads++;
        }

        private long nextOffset() {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            return (random >>> 1) % fileReads * readBytes;
        }

        private void turn() throws IOException {
            while (freeCount > 0) {
                int slot = free[--freeCount];
                long memoryOffset = (long) slot * readBytes;
                queue.read(fileNumber, nextOffset(), slots, memoryOffset, readBytes, slot);
            }
            queue.await(this, () -> true);
        }

        Result run() throws IOException {
            turnFor(WARM_UP_NANOS);
            reads = 0;
            long cpuBegin = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId());
            long begin = System.nanoTime();
            turnFor(measuredNanos);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long cpuEnd = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId());
            long measured = reads;
            while (queue.inFlight() > 0) {
                queue.await(this, () -> true);
            }
            queue.detach(fileNumber);
            return new Result(measured / seconds, (cpuEnd - cpuBegin) / 1e9, measured);
        }

        private static long threadId() {
            return Thread.currentThread().threadId();
        }

        private void turnFor(long nanos) throws IOException {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < nanos) {
                turn();
            }
        }
    }
}
