package io.zarrengine.bench.http;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/** Keeps requests of one length under way, and measures their cost for this process. */
final class Load {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final MemorySegment file;
    private final MemorySegment targets; // one after the other
    private final long bytes; // of a request

    /**
     * Makes targets.
     *
     * @param file the file that the server sends
     * @param bytes length of each request
     * @param arena of the targets
     */
    Load(MemorySegment file, long bytes, Arena arena) {
        this.file = file;
        this.targets = arena.allocate(RangeClient.REQUESTS_MAX * bytes, 4096);
        this.bytes = bytes;
    }

    /** Reads ranges for a while. */
    Cost run(RangeClient client, long nanos) throws IOException, InterruptedException {
        Run run = new Run(client, System.nanoTime() + nanos);
        long cpu = PROCESS.getProcessCpuTime();
        long heap = THREADS.getTotalThreadAllocatedBytes();
        for (int i = 0; i < RangeClient.REQUESTS_MAX; i++) {
            new Slot(run, i).next();
        }
        run.await();
        long cpuNanos = PROCESS.getProcessCpuTime() - cpu;
        long heapBytes = THREADS.getTotalThreadAllocatedBytes() - heap;
        run.check();
        long requests = run.requests.sum();
        return Cost.of(requests, requests * bytes, cpuNanos, heapBytes);
    }

    /** Compares one answer for each target with the file. */
    void check(RangeClient client) throws IOException, InterruptedException {
        Run run = new Run(client, System.nanoTime());
        targets.fill((byte) 0);
        ConcurrentLinkedQueue<Slot> slots = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < RangeClient.REQUESTS_MAX; i++) {
            Slot slot = new Slot(run, i);
            slots.add(slot);
            slot.next();
        }
        run.await();
        run.check();
        for (Slot slot : slots) {
            if (slot.target.mismatch(file.asSlice(slot.offset, bytes)) >= 0) {
                throw new IOException("wrong bytes from " + slot.offset + " on");
            }
        }
    }

    private static final class Run {
        private final RangeClient client;
        private final long endNanos;
        private final LongAdder requests = new LongAdder();
        private final CountDownLatch ended = new CountDownLatch(RangeClient.REQUESTS_MAX);
        private final AtomicReference<Throwable> error = new AtomicReference<>();

        Run(RangeClient client, long endNanos) {
            this.client = client;
            this.endNanos = endNanos;
        }

        /** A client that loses a request must not hang the comparison. */
        void await() throws IOException, InterruptedException {
            if (!ended.await(60, TimeUnit.SECONDS)) {
                throw new IOException(ended.getCount() + " requests do not end", error.get());
            }
        }

        void check() throws IOException {
            if (error.get() != null) {
                throw new IOException("a request failed", error.get());
            }
        }
    }

    /** Has one request under way. */
    private final class Slot implements RangeClient.Done {
        private final Run run;
        private final MemorySegment target;
        private final RandomGenerator random;
        private long offset;

        Slot(Run run, int number) {
            this.run = run;
            this.target = targets.asSlice(number * bytes, bytes);
            this.random = RandomGenerator.getDefault();
        }

        void next() {
            offset = random.nextLong(file.byteSize() / bytes) * bytes;
            run.client.get(offset, target, this);
        }

        @Override
        public void done(Throwable problem) {
            run.requests.increment();
            if (problem != null) {
                run.error.compareAndSet(null, problem);
            }
            if (problem == null && System.nanoTime() < run.endNanos) {
                next();
            } else {
                run.ended.countDown();
            }
        }
    }
}
