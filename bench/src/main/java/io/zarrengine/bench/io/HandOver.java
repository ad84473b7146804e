package io.zarrengine.bench.io;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;
import io.zarrengine.uring.ranges.RangeReader;
import io.zarrengine.uring.ranges.RangeReaderOptions;
import io.zarrengine.uring.ranges.ReadBatch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * Measures the latency of one range of 4 KiB from the page cache, requested by a virtual thread:
 * with the bare system call, with {@code readAsync}, and through a thread of the reader. Also
 * measures planning a million ranges.
 *
 * <p>Argument: a file of random bytes. The first 64 MiB are read.
 */
public final class HandOver {
    private static final int READ_BYTES = 4096;
    private static final int SPAN_READS = 16_384;
    private static final int WARM_UP = 100_000;
    private static final int MEASURED = 200_000;
    private static final int RANGES = 1_000_000;
    private static final int PLANS = 15;

    private HandOver() {}

    /** Runs. */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        Thread thread =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                measure(file);
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
        thread.join();
        planAMillion();
    }

    private static void measure(Path file) throws IOException {
        try (ReadBackend backend = ReadBackend.best();
                RangeReader reader =
                        RangeReader.open(ReadBackend.best(), RangeReaderOptions.defaults());
                Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(READ_BYTES, READ_BYTES);
            reader.read(file, 0, MemorySegment.ofArray(new byte[SPAN_READS * READ_BYTES]));
            FileHandle handle = backend.open(file, Caching.BUFFERED);
            LongConsumer again = offset -> reader.readAsync(file, offset, target).join();
            IO.println("| one hot range of 4 KiB, from a virtual thread | p50 us | p99 us |");
            IO.println("| --- | --: | --: |");
            for (int round = 0; round < 3; round++) {
                row("bare read", again, offset -> backend.readNow(handle, offset, target));
                row(
                        "readAsync, and join",
                        again,
                        offset -> reader.readAsync(file, offset, target).join().readBytes());
                ReadBatch batch = new ReadBatch(target);
                row(
                        "a batch of one, through another thread",
                        again,
                        offset -> {
                            batch.clear();
                            batch.add(batch.addFile(file), offset, READ_BYTES, 0);
                            return reader.readAsync(batch).join().readBytes();
                        });
            }
            handle.release();
        }
    }

    private static void row(String name, LongConsumer evicted, LongUnaryOperator read) {
        SplittableRandom random = new SplittableRandom(42);
        long[] nanos = new long[MEASURED];
        for (int i = -WARM_UP; i < MEASURED; i++) {
            long offset = (long) random.nextInt(SPAN_READS) * READ_BYTES;
            long begin = System.nanoTime();
            long bytes = read.applyAsLong(offset);
            long end = System.nanoTime();
            if (bytes == READ_BYTES) {
                nanos[Math.max(i, 0)] = end - begin;
            } else if (bytes == -Errno.EAGAIN) {
                evicted.accept(offset); // Some kernels take unused pages out of the cache.
                i--;
            } else {
                throw new AssertionError(name + ": " + bytes);
            }
        }
        Arrays.sort(nanos);
        IO.println(
                String.format(
                        Locale.ROOT,
                        "| %s | %.2f | %.2f |",
                        name,
                        nanos[MEASURED / 2] / 1e3,
                        nanos[MEASURED / 100 * 99] / 1e3));
    }

    private static void planAMillion() {
        SplittableRandom random = new SplittableRandom(42);
        ReadPlan plan = new ReadPlan();
        double[] millis = new double[PLANS];
        for (int round = 0; round < PLANS; round++) {
            int[] files = random.ints(RANGES, 0, 1000).toArray();
            long[] offsets = random.longs(RANGES, 0, 1L << 33).toArray();
            long begin = System.nanoTime();
            plan.clear();
            for (int i = 0; i < RANGES; i++) {
                plan.add(files[i], offsets[i], 16 << 10);
            }
            plan.arrange(FuseRule.BUFFERED);
            millis[round] = (System.nanoTime() - begin) / 1e6;
        }
        String first = String.format(Locale.ROOT, "%.0f", millis[0]);
        Arrays.sort(millis);
        IO.println(
                String.format(
                        Locale.ROOT,
                        "%nA million random ranges of 1000 files, added, sorted and fused: median"
                                + " %.0f ms, the first time %s ms",
                        millis[PLANS / 2],
                        first));
    }
}
