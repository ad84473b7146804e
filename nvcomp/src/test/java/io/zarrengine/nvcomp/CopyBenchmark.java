package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CopyBatch;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Measures the rate of copies from pinned memory to the device, by copy size. Expected: the rate of
 * C, because a call takes 3 µs there and a downcall adds 10 ns.
 */
final class CopyBenchmark {
    private static final int ROUNDS = 5;
    private static final long BYTES = 256 << 20;
    private static final int[] COPY_BYTES = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};

    /** GB/s in C on one H200: one call for each copy, and one call for all. */
    private static final double[][] IN_C = {
        {17.91, 42.88}, {36.61, 52.19}, {49.07, 54.64}, {53.79, 55.32}, {55.14, 55.51}
    };

    private CopyBenchmark() {}

    static void run(CudaDevice device) throws IOException {
        GpuBenchmark.OUT.printf(
                "%nPinned memory to the device, %d MiB, GB/s, best of %d (in C on an H200)%n",
                BYTES >> 20, ROUNDS);
        GpuBenchmark.OUT.printf(
                "%10s %22s %22s %16s%n",
                "copy KiB", "a call each", "one call for all", "its submit, us");
        long begin = System.nanoTime();
        try (CudaStream stream = CudaStream.open(device);
                DeviceMemoryPool pool = DeviceMemoryPool.open(device, BYTES);
                Allocation target = pool.allocate(BYTES, stream);
                PinnedMemory source = PinnedMemory.open(device, BYTES)) {
            long opened = System.nanoTime();
            for (int i = 0; i < COPY_BYTES.length; i++) {
                row(device, stream, source.segment(), target.slice(), i);
            }
            GpuBenchmark.OUT.printf(
                    "memory, stream and registration took %.0f ms%n", (opened - begin) / 1e6);
        }
    }

    private static void row(
            CudaDevice device, CudaStream stream, MemorySegment source, DeviceSlice target, int row)
            throws IOException {
        int bytes = COPY_BYTES[row];
        long each = Long.MAX_VALUE;
        long together = Long.MAX_VALUE;
        long submit = Long.MAX_VALUE;
        try (CopyBatch batch = new CopyBatch(device, (int) (BYTES / bytes))) {
            for (int round = 0; round < ROUNDS; round++) {
                long begin = System.nanoTime();
                for (long at = 0; at < BYTES; at += bytes) {
                    stream.copyToDevice(source.asSlice(at, bytes), target.slice(at, bytes));
                }
                stream.synchronize();
                each = Math.min(each, System.nanoTime() - begin);
                begin = System.nanoTime();
                for (long at = 0; at < BYTES; at += bytes) {
                    batch.add(source.asSlice(at, bytes), target.slice(at, bytes));
                }
                batch.submit(stream);
                submit = Math.min(submit, System.nanoTime() - begin);
                stream.synchronize();
                together = Math.min(together, System.nanoTime() - begin);
            }
        }
        GpuBenchmark.OUT.printf(
                "%10d %12.2f (%7.2f) %12.2f (%7.2f) %16.1f%n",
                bytes >> 10,
                GpuBenchmark.rate(BYTES, each),
                IN_C[row][0],
                GpuBenchmark.rate(BYTES, together),
                IN_C[row][1],
                submit / 1e3);
    }
}
