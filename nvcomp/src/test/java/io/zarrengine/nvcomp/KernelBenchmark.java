package io.zarrengine.nvcomp;

import io.zarrengine.cuda.Box;
import io.zarrengine.cuda.ChunkKernels;
import io.zarrengine.cuda.Conversion;
import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PieceBatch.Element;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.cuda.Shuffle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Measures the rate of our kernels against a plain copy on the device. Expected: 60 % of it for
 * rows of 512 bytes and more, 25 % for rows of 64. For shuffled elements a few hundred GB/s, which
 * is more than any decoder produces.
 */
final class KernelBenchmark {
    private static final int ROUNDS = 5;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int[] ROW_BYTES = {4096, 512, 64, 16};
    private static final long[] ONE = {1};

    /** Queues one launch. */
    private interface Launch {
        void queue() throws IOException;
    }

    private final CudaDevice device;
    private final CudaStream stream;
    private final ChunkKernels kernels;
    private final int chunks;
    private final MemorySegment host;
    private final DeviceSlice source;
    private final DeviceSlice target;
    private final DeviceSlice descriptors;

    private KernelBenchmark(
            CudaDevice device,
            CudaStream stream,
            ChunkKernels kernels,
            MemorySegment host,
            DeviceSlice source,
            DeviceSlice target,
            DeviceSlice descriptors) {
        this.device = device;
        this.stream = stream;
        this.kernels = kernels;
        this.chunks = Math.toIntExact(source.byteSize() / CHUNK_BYTES);
        this.host = host;
        this.source = source;
        this.target = target;
        this.descriptors = descriptors;
    }

    static void run(CudaDevice device, int chunks) throws IOException {
        long bytes = (long) chunks * CHUNK_BYTES;
        long descriptorBytes = chunks * PieceBatch.DESCRIPTOR_BYTES;
        GpuBenchmark.OUT.printf(
                "%nKernels on %d chunks of %d KiB, one launch, best of %d%n",
                chunks, CHUNK_BYTES >> 10, ROUNDS);
        try (CudaStream stream = CudaStream.open(device);
                ChunkKernels kernels = ChunkKernels.open(device);
                PinnedMemory pinned = PinnedMemory.open(device, descriptorBytes);
                DeviceMemoryPool pool =
                        DeviceMemoryPool.open(device, 3 * bytes + descriptorBytes + (64 << 20));
                Allocation source = pool.allocate(bytes, stream);
                Allocation target = pool.allocate(2 * bytes, stream);
                Allocation descriptors = pool.allocate(descriptorBytes, stream)) {
            stream.set(source.slice(), (byte) 1);
            new KernelBenchmark(
                            device,
                            stream,
                            kernels,
                            pinned.segment(),
                            source.slice().slice(0, bytes),
                            target.slice(),
                            descriptors.slice())
                    .rows();
        }
    }

    private void rows() throws IOException {
        for (int rowBytes : ROW_BYTES) {
            place("place, rows of " + rowBytes + " bytes", 4, 0, rowBytes, null);
        }
        place("place, int16 swapped, rows of 512 bytes", 2, 2, 512, null);
        for (int elementBytes : new int[] {2, 4, 8}) {
            place("place byte-shuffled, " + elementBytes, elementBytes, 0, 512, Shuffle.BYTES);
            place("place bit-shuffled, " + elementBytes, elementBytes, 0, 512, Shuffle.BITS);
        }
        convert("convert int16 to float32, scaled", null);
        convert("convert byte-shuffled int16 to float32, scaled", Shuffle.BYTES);
        fill();
    }

    /** Writes every second row of the target, so that rows stay separate. */
    private void place(String what, int elementBytes, int swapBytes, int rowBytes, Shuffle shuffle)
            throws IOException {
        PieceBatch batch = new PieceBatch(host);
        long row = rowBytes / elementBytes;
        for (int i = 0; i < chunks; i++) {
            Box box = // one box each, otherwise all would share a descriptor
                    new Box(
                            new long[] {CHUNK_BYTES / rowBytes, row},
                            new long[] {row, 1},
                            new long[] {2 * row, 1});
            Source from = chunk(i, elementBytes, shuffle);
            batch.add(from, targetOf(i), 0, box, new Element(elementBytes, swapBytes));
        }
        stream.copyToDevice(batch.descriptors(), descriptors);
        row(what, () -> kernels.place(stream, batch, descriptors));
    }

    /** {@code shuffle} is null for plain elements. */
    private Source chunk(int i, int elementBytes, Shuffle shuffle) {
        DeviceSlice chunk = source.slice((long) i * CHUNK_BYTES, CHUNK_BYTES);
        return shuffle == null
                ? new Source.Plain(chunk, 0)
                : new Source.Shuffled(chunk, 0, shuffle, CHUNK_BYTES / elementBytes);
    }

    /** Reports the rate of the stored bytes, as for all rows. */
    private void convert(String what, Shuffle shuffle) throws IOException {
        PieceBatch batch = new PieceBatch(host);
        List<Step> steps =
                List.of(new Step.Cast(NumberType.FLOAT32), new Step.Scale(0.01f, 273.15f));
        Conversion conversion = new Conversion(NumberType.INT16, 0, steps);
        for (int i = 0; i < chunks; i++) {
            Box box = new Box(new long[] {CHUNK_BYTES / Short.BYTES}, ONE, ONE);
            Source from = chunk(i, Short.BYTES, shuffle);
            batch.addConverted(from, targetOf(i), 0, box, conversion);
        }
        stream.copyToDevice(batch.descriptors(), descriptors);
        row(what, () -> kernels.convert(stream, batch, descriptors));
    }

    private void fill() throws IOException {
        PieceBatch batch = new PieceBatch(host);
        long elements = CHUNK_BYTES / Float.BYTES;
        for (int i = 0; i < chunks; i++) {
            Box box = new Box(new long[] {elements}, ONE, ONE);
            batch.add(new Source.Fill(7, 0), targetOf(i), 0, box, new Element(Float.BYTES, 0));
        }
        stream.copyToDevice(batch.descriptors(), descriptors);
        row("fill", () -> kernels.place(stream, batch, descriptors));
    }

    private DeviceSlice targetOf(int chunk) {
        long bytes = 2L * CHUNK_BYTES;
        return target.slice(chunk * bytes, bytes);
    }

    private void row(String what, Launch launch) throws IOException {
        stream.synchronize();
        float best = Float.MAX_VALUE;
        try (CudaEvent begin = CudaEvent.openTimed(device);
                CudaEvent end = CudaEvent.openTimed(device)) {
            for (int round = 0; round < ROUNDS; round++) {
                begin.record(stream);
                launch.queue();
                end.record(stream);
                end.synchronize();
                best = Math.min(best, end.millisSince(begin));
            }
        }
        GpuBenchmark.OUT.printf(
                "%-42s %9.3f ms %9.1f GB/s%n", what, best, source.byteSize() / (best * 1e6));
    }
}
