package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Measures the rate of nvCOMP by the number of chunks in a batch. Expected: within 5 % of C,
 * because a batch is one call. Another encoder than for the table makes the streams (aircompressor
 * instead of libzstd and liblz4), so rates differ with them.
 */
final class DecodeBenchmark {
    private static final int ROUNDS = 5;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int[] CHUNKS = {1, 16, 64, 256, 1024, 4096, 16_384};

    /** GB/s in C on one H200 with nvCOMP 5.1, byte-shuffled float32, 64 KiB, by {@link #CHUNKS}. */
    private static final Map<NvcompFormat, double[]> IN_C =
            Map.of(
                    NvcompFormat.ZSTD,
                    new double[] {0.071, 0.761, 2.806, 10.867, 40.002, 108.611, 141.6},
                    NvcompFormat.LZ4,
                    new double[] {0.079, 0.465, 1.815, 7.281, 27.225, 87.003, 123.1});

    private final CudaDevice device;
    private final CudaStream stream;
    private final BatchDecoder decoder;
    private final List<byte[]> encoded;
    private final MemorySegment staged;

    private DecodeBenchmark(
            CudaDevice device,
            CudaStream stream,
            BatchDecoder decoder,
            List<byte[]> encoded,
            MemorySegment staged) {
        this.device = device;
        this.stream = stream;
        this.decoder = decoder;
        this.encoded = encoded;
        this.staged = staged;
    }

    static void run(CudaDevice device, int chunksMax) throws IOException {
        for (NvcompFormat format :
                List.of(NvcompFormat.ZSTD, NvcompFormat.LZ4, NvcompFormat.SNAPPY)) {
            if (NvcompLibrary.canDecode(format)) {
                run(device, format, chunksMax);
            }
        }
    }

    private static void run(CudaDevice device, NvcompFormat format, int chunksMax)
            throws IOException {
        List<byte[]> encoded =
                IntStream.range(0, Math.min(chunksMax, 4096))
                        .parallel()
                        .mapToObj(i -> Samples.encoded(format, floats(i)))
                        .toList();
        long bytes = encoded.stream().mapToLong(chunk -> chunk.length).sum();
        GpuBenchmark.OUT.printf(
                "%n%s, byte-shuffled float32 in chunks of %d KiB, ratio %.2f; best of %d (in C on an H200)%n",
                format, CHUNK_BYTES >> 10, (double) encoded.size() * CHUNK_BYTES / bytes, ROUNDS);
        GpuBenchmark.OUT.printf(
                "%8s %12s %22s %26s%n",
                "chunks", "device ms", "GB/s", "host ns a chunk: add, submit");
        try (CudaStream stream = CudaStream.open(device);
                BatchDecoder decoder = BatchDecoder.open(format, stream);
                PinnedMemory pinned =
                        PinnedMemory.open(device, bytes + DecodeBatch.bytes(chunksMax) + 4096)) {
            MemorySegment staged = pinned.segment();
            new DecodeBenchmark(device, stream, decoder, encoded, staged)
                    .rows(format, chunksMax, bytes);
        }
    }

    private static byte[] floats(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int elements = CHUNK_BYTES / Float.BYTES;
        byte[] shuffled = new byte[CHUNK_BYTES];
        int steps = random.nextInt(100_000);
        for (int i = 0; i < elements; i++) {
            steps += random.nextInt(9) - 4;
            int bits = Float.floatToIntBits(steps / 256f);
            for (int b = 0; b < Float.BYTES; b++) {
                shuffled[b * elements + i] = (byte) (bits >> (8 * b));
            }
        }
        return shuffled;
    }

    private void rows(NvcompFormat format, int chunksMax, long encodedBytes) throws IOException {
        long decodedBytes = (long) chunksMax * CHUNK_BYTES;
        long scratchBytes = decoder.scratchBytes(chunksMax, CHUNK_BYTES, decodedBytes) + 8;
        long budget = encodedBytes + decodedBytes + scratchBytes + (64 << 20) + 44L * chunksMax;
        try (DeviceMemoryPool pool = DeviceMemoryPool.open(device, budget);
                Allocation source = pool.allocate(encodedBytes, stream);
                Allocation target = pool.allocate(decodedBytes, stream);
                Allocation scratch = pool.allocate(scratchBytes, stream);
                Allocation arrays = pool.allocate(DecodeBatch.bytes(chunksMax), stream)) {
            upload(source.slice());
            for (int i = 0; i < CHUNKS.length && CHUNKS[i] <= chunksMax; i++) {
                MemorySegment host = staged.asSlice(0, DecodeBatch.bytes(CHUNKS[i]));
                DecodeBatch batch = new DecodeBatch(host, arrays.slice(), CHUNKS[i]);
                row(batch, source.slice(), target.slice(), scratch.slice(), inC(format, i));
            }
        }
    }

    private static double inC(NvcompFormat format, int row) {
        return IN_C.containsKey(format) ? IN_C.get(format)[row] : Double.NaN;
    }

    private void upload(DeviceSlice source) throws IOException {
        long at = 0;
        for (byte[] chunk : encoded) {
            MemorySegment.copy(chunk, 0, staged, JAVA_BYTE, at, chunk.length);
            at += chunk.length;
        }
        stream.copyToDevice(staged.asSlice(0, at), source);
        stream.synchronize();
    }

    private void row(
            DecodeBatch batch,
            DeviceSlice source,
            DeviceSlice target,
            DeviceSlice scratch,
            double inC)
            throws IOException {
        int chunks = batch.chunksMax();
        float best = Float.MAX_VALUE;
        long add = Long.MAX_VALUE;
        long submit = Long.MAX_VALUE;
        try (CudaEvent begin = CudaEvent.openTimed(device);
                CudaEvent end = CudaEvent.openTimed(device)) {
            for (int round = 0; round < ROUNDS; round++) {
                long t0 = System.nanoTime();
                fill(batch, source, target, chunks);
                long t1 = System.nanoTime();
                begin.record(stream);
                decoder.decode(batch, scratch);
                end.record(stream);
                long t2 = System.nanoTime();
                end.synchronize();
                best = Math.min(best, end.millisSince(begin));
                add = Math.min(add, t1 - t0);
                submit = Math.min(submit, t2 - t1);
            }
        }
        if (!batch.isDone() || batch.failedChunks().findAny().isPresent()) {
            throw new IOException(batch.failedChunks().count() + " chunks failed");
        }
        double rate = (double) chunks * CHUNK_BYTES / (best * 1e6);
        GpuBenchmark.OUT.printf(
                "%8d %12.3f %12.3f (%7.3f) %13.0f %12.0f%n",
                chunks, best, rate, inC, (double) add / chunks, (double) submit / chunks);
    }

    private void fill(DecodeBatch batch, DeviceSlice source, DeviceSlice target, int chunks) {
        batch.clear();
        long from = 0;
        for (int i = 0; i < chunks; i++) {
            int length = encoded.get(i % encoded.size()).length;
            from = i % encoded.size() == 0 ? 0 : from;
            batch.add(
                    source.slice(from, length), target.slice((long) i * CHUNK_BYTES, CHUNK_BYTES));
            from += length;
        }
    }
}
