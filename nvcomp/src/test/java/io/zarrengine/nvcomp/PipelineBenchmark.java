package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.nvcomp.ShardedArray.Stretch;
import io.zarrengine.nvcomp.ShardedArray.Subchunk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Threads read whole stretches of shards into pinned memory, the device's thread copies each as it
 * is there, and batches of sub-chunks are decoded while later stretches are read: {@code
 * gpu_pipeline.cu} in Java, with the same arguments and the same four answers. Expected: the same
 * rates within noise, since the thread makes a few thousand calls a second and the rest is its
 * batches' descriptors.
 */
final class PipelineBenchmark {
    private static final int ROUNDS = 3;
    private static final int CHECK_EVERY = 97;

    private enum Mode {
        READ(true, false, false),
        READ_AND_COPY(true, true, false),
        COPY_AND_DECODE(false, true, true),
        READ_COPY_AND_DECODE(true, true, true);

        final boolean reads;
        final boolean copies;
        final boolean decodes;

        Mode(boolean reads, boolean copies, boolean decodes) {
            this.reads = reads;
            this.copies = copies;
            this.decodes = decodes;
        }
    }

    private final CudaDevice device;
    private final ShardedArray array;
    private final int threads;
    private final int batchChunks;
    private final int passes;

    private final List<DecodeBatch> batches = new ArrayList<>(); // of even passes, of odd ones
    private final List<CudaEvent> copied = new ArrayList<>();
    private final List<CudaEvent> decoded = new ArrayList<>(); // the same
    private int batchCount;
    private final int[] lastBatchOf; // by stretch: the last batch that reads it
    private MemorySegment pinned;
    private MemorySegment checked;
    private DeviceSlice source;
    private DeviceSlice target;
    private DeviceSlice scratch;
    private CudaStream copyStream;
    private CudaStream decodeStream;
    private BatchDecoder decoder;
    private long fillNanos;

    PipelineBenchmark(CudaDevice device, ShardedArray array, int threads, int batch, int passes) {
        this.device = device;
        this.array = array;
        this.threads = threads;
        this.batchChunks = Math.min(batch, array.subchunks.size());
        this.passes = passes;
        lastBatchOf = new int[array.stretches.size()];
        for (int i = 0; i < array.subchunks.size(); i++) {
            lastBatchOf[array.subchunks.get(i).stretch()] = i / batchChunks;
        }
    }

    void run() throws IOException {
        GpuBenchmark.OUT.printf(
                "%n%d sub-chunks of %d KiB in %d slots, ratio %.2f, %d threads, batch %d, passes %d%n",
                array.subchunks.size(),
                array.subchunkBytes >> 10,
                array.stretches.size(),
                (double) array.decodedBytes() / array.encodedBytes(),
                threads,
                batchChunks,
                passes);
        batchCount = (array.subchunks.size() + batchChunks - 1) / batchChunks;
        long arraysBytes = 2L * batchCount * ((DecodeBatch.bytes(batchChunks) + 255) & -256L);
        try (array;
                CudaStream copies = CudaStream.open(device);
                CudaStream decodes = CudaStream.open(device);
                BatchDecoder zstd = BatchDecoder.open(NvcompFormat.ZSTD, decodes);
                PinnedMemory memory = PinnedMemory.open(device, array.placeBytes());
                PinnedMemory arraysMemory = PinnedMemory.open(device, arraysBytes);
                PinnedMemory checkMemory = PinnedMemory.open(device, array.subchunkBytes)) {
            copyStream = copies;
            decodeStream = decodes;
            decoder = zstd;
            pinned = memory.segment();
            checked = checkMemory.segment();
            runOnDevice(arraysMemory.segment(), arraysBytes);
        }
    }

    private void runOnDevice(MemorySegment arraysHost, long arraysBytes) throws IOException {
        long batchBytes = (long) batchChunks * array.subchunkBytes;
        long scratchBytes = decoder.scratchBytes(batchChunks, array.subchunkBytes, batchBytes);
        long budget = array.placeBytes() + array.decodedBytes() + scratchBytes + arraysBytes;
        try (DeviceMemoryPool pool = DeviceMemoryPool.open(device, budget + (64 << 20));
                Allocation encoded = pool.allocate(array.placeBytes(), decodeStream);
                Allocation plain = pool.allocate(array.decodedBytes(), decodeStream);
                Allocation work = pool.allocate(scratchBytes, decodeStream);
                Allocation arrays = pool.allocate(arraysBytes, decodeStream)) {
            decodeStream.synchronize(); // The other stream uses it too.
            source = encoded.slice();
            target = plain.slice();
            scratch = work.slice();
            long step = arraysBytes / (2L * batchCount);
            for (int i = 0; i < 2 * batchCount; i++) {
                DeviceSlice at = arrays.slice().slice(i * step, step);
                batches.add(new DecodeBatch(arraysHost.asSlice(i * step, step), at, batchChunks));
                decoded.add(CudaEvent.open(device));
            }
            for (int i = 0; i < array.stretches.size(); i++) {
                copied.add(CudaEvent.open(device));
            }
            for (Mode mode : Mode.values()) {
                measure(mode);
            }
            copied.forEach(CudaEvent::close);
            decoded.forEach(CudaEvent::close);
        }
    }

    private void measure(Mode mode) throws IOException {
        long best = Long.MAX_VALUE;
        fillNanos = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            new Round(mode).run();
            best = Math.min(best, (System.nanoTime() - begin) / passes);
        }
        String verdict = mode.decodes ? check() : "";
        GpuBenchmark.OUT.printf(
                "%-22s %7.1f GB/s encoded %7.1f GB/s decoded%s%n",
                mode.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                GpuBenchmark.rate(array.encodedBytes(), best),
                GpuBenchmark.rate(array.decodedBytes(), best),
                verdict);
    }

    /** Statuses and sizes of all, bytes of some. */
    private String check() throws IOException {
        long failed = batches.stream().mapToLong(batch -> batch.failedChunks().count()).sum();
        if (failed > 0) {
            throw new IOException(failed + " sub-chunks failed");
        }
        int bytes = array.subchunkBytes;
        for (int i = 0; i < array.subchunks.size(); i += CHECK_EVERY) {
            Subchunk subchunk = array.subchunks.get(i);
            byte[] encoded = pinned.asSlice(subchunk.place(), subchunk.bytes()).toArray(JAVA_BYTE);
            byte[] expected = new byte[bytes];
            new ZstdJavaDecompressor().decompress(encoded, 0, encoded.length, expected, 0, bytes);
            MemorySegment staged = checked.asSlice(0, bytes);
            copyStream.copyToHost(target.slice((long) i * bytes, bytes), staged);
            copyStream.synchronize();
            if (!Arrays.equals(expected, staged.toArray(JAVA_BYTE))) {
                throw new IOException("sub-chunk " + i + " was decoded to other bytes");
            }
        }
        long adds = (long) array.subchunks.size() * passes * ROUNDS;
        return "   all statuses 0, every %dth compared, %d ns a sub-chunk to describe"
                .formatted(CHECK_EVERY, fillNanos / adds);
    }

    /** One measurement: what the readers and the device's thread tell each other. */
    private final class Round {
        private final Mode mode;
        private final int stretches = array.stretches.size();
        private final AtomicLong next = new AtomicLong();
        private final AtomicIntegerArray read = new AtomicIntegerArray(stretches); // passes
        private final AtomicIntegerArray sent = new AtomicIntegerArray(stretches); // passes
        private final ArrayDeque<Integer> underWay = new ArrayDeque<>();
        private volatile Throwable failure;

        Round(Mode mode) {
            this.mode = mode;
        }

        void run() throws IOException {
            List<Thread> readers = List.of();
            if (mode.reads) {
                readers =
                        IntStream.range(0, threads)
                                .mapToObj(_ -> Thread.ofPlatform().start(this::readAll))
                                .toList();
            }
            if (mode.copies) {
                for (int pass = 0; pass < passes; pass++) {
                    copyAndDecode(pass);
                }
                copyStream.synchronize();
                decodeStream.synchronize();
            }
            for (Thread reader : readers) {
                join(reader);
            }
            checkReaders();
        }

        private void readAll() {
            try {
                long all = (long) stretches * passes;
                for (long k = next.getAndIncrement(); k < all; k = next.getAndIncrement()) {
                    int stretch = (int) (k % stretches);
                    int pass = (int) (k / stretches);
                    while (mode.copies && sent.getAcquire(stretch) < pass && failure == null) {
                        Thread.onSpinWait();
                    }
                    read(array.stretches.get(stretch));
                    read.setRelease(stretch, pass + 1);
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }

        private void read(Stretch stretch) throws IOException {
            ByteBuffer slot = pinned.asSlice(stretch.place(), stretch.bytes()).asByteBuffer();
            while (slot.hasRemaining()) {
                if (stretch.file().read(slot, stretch.offset() + slot.position()) < 0) {
                    throw new IOException("the shard is shorter than its index says");
                }
            }
        }

        private void copyAndDecode(int pass) throws IOException {
            int batch = 0;
            for (int i = 0; i < stretches; i++) {
                while (mode.reads && read.getAcquire(i) <= pass) {
                    lookAtCopies();
                    checkReaders();
                    Thread.onSpinWait();
                }
                if (mode.decodes && pass > 0) {
                    copyStream.waitFor(decoded.get(index(pass - 1, lastBatchOf[i])));
                }
                Stretch stretch = array.stretches.get(i);
                copyStream.copyToDevice(
                        pinned.asSlice(stretch.place(), stretch.bytes()),
                        source.slice(stretch.place(), stretch.bytes()));
                copied.get(i).record(copyStream);
                if (mode.reads) {
                    underWay.add(i); // Its last copy was seen, else it would not be read again.
                    lookAtCopies();
                }
                while (mode.decodes && batch < batchCount && lastStretch(batch) <= i) {
                    decode(pass, batch++, copied.get(i));
                }
            }
        }

        private int lastStretch(int batch) {
            int last = Math.min((batch + 1) * batchChunks, array.subchunks.size()) - 1;
            return array.subchunks.get(last).stretch();
        }

        /** Tells the readers whose copy is done: only this thread may ask. */
        private void lookAtCopies() throws IOException {
            while (!underWay.isEmpty() && copied.get(underWay.peek()).isDone()) {
                int stretch = underWay.remove();
                sent.setRelease(stretch, sent.getPlain(stretch) + 1);
            }
        }

        private int index(int pass, int batch) {
            return pass % 2 * batchCount + batch;
        }

        private void decode(int pass, int number, CudaEvent isCopied) throws IOException {
            DecodeBatch batch = batches.get(index(pass, number));
            CudaEvent isDecoded = decoded.get(index(pass, number));
            isDecoded.synchronize(); // Two passes ago: its arrays are used again.
            long begin = System.nanoTime();
            batch.clear();
            int first = number * batchChunks;
            int end = Math.min(first + batchChunks, array.subchunks.size());
            for (int i = first; i < end; i++) {
                Subchunk subchunk = array.subchunks.get(i);
                batch.add(
                        source.slice(subchunk.place(), subchunk.bytes()),
                        target.slice((long) i * array.subchunkBytes, array.subchunkBytes));
            }
            fillNanos += System.nanoTime() - begin;
            decodeStream.waitFor(isCopied);
            decoder.decode(batch, scratch);
            isDecoded.record(decodeStream);
        }

        private void checkReaders() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }
    }
}
