package io.zarrengine.bench.gpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bench.gpu.SlotStretches.Chunk;
import io.zarrengine.bench.gpu.SlotStretches.Stretch;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.nvcomp.BatchDecoder;
import io.zarrengine.nvcomp.BloscFrame;
import io.zarrengine.nvcomp.DecodeBatch;
import java.io.IOException;
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
 * Measures the limits: threads read whole stretches of shards into pinned memory, the device's
 * thread copies each one when it is read, and batches of chunks are decoded while later stretches
 * are read. Nothing is checked, planned or placed; chunks are described as the engine describes
 * them.
 *
 * <p>Owner: its opener, on the device's thread. Threads: the device's.
 */
final class Pipeline implements AutoCloseable {
    private static final int ROUNDS = 3;
    private static final int CHECK_EVERY = 97;

    /** The steps of a measurement. */
    private enum Mode {
        READ_AND_COPY(true, false),
        COPY_AND_DECODE(false, true),
        ALL(true, true);

        final boolean reads;
        final boolean decodes;

        Mode(boolean reads, boolean decodes) {
            this.reads = reads;
            this.decodes = decodes;
        }
    }

    /**
     * A chunk as one decoder call sees it; of a blosc chunk, each of its streams is one.
     *
     * @param place its offset in pinned memory and on the device
     * @param bytes its length
     * @param target offset of its decoded bytes
     * @param targetBytes its decoded length
     * @param stretch the stretch that holds it
     */
    private record Frame(long place, long bytes, long target, long targetBytes, int stretch) {}

    private final GpuArray array;
    private final int threads;
    private final int batchFrames;
    private final SlotStretches all;
    private final List<Frame> frames = new ArrayList<>();
    private final CloseStack owned = new CloseStack();
    private final CudaStream copies;
    private final CudaStream decodes;
    private final MemorySegment pinned;
    private final MemorySegment checked;
    private final DeviceSlice source;
    private DeviceSlice target;
    private DeviceSlice scratch;
    private BatchDecoder decoder; // null: nothing to decode
    private final List<DecodeBatch> batches = new ArrayList<>(); // of even passes, of odd ones
    private final List<CudaEvent> decoded = new ArrayList<>(); // the same
    private final List<CudaEvent> copied = new ArrayList<>(); // by stretch
    private final int[] lastBatchOf; // by stretch: the last batch that reads it
    private int batchCount;

    /** Reads the whole array into pinned memory, and prepares the batches. */
    Pipeline(CudaDevice device, GpuArray array, GpuOptions options) throws IOException {
        this.array = array;
        threads = options.workers();
        batchFrames = options.limitBatch();
        all = owned.add(SlotStretches.of(array, options.limitSlotBytes()));
        copies = owned.add(CudaStream.open(device));
        decodes = owned.add(CudaStream.open(device));
        pinned = owned.add(PinnedMemory.open(device, all.placeBytes())).segment();
        checked = owned.add(PinnedMemory.open(device, array.innerBytes())).segment();
        for (Stretch stretch : all.stretches) {
            read(stretch);
            copied.add(owned.add(CudaEvent.open(device)));
        }
        lastBatchOf = new int[all.stretches.size()];
        DeviceMemoryPool pool = owned.add(DeviceMemoryPool.open(device, device.freeBytes() / 2));
        source = owned.add(pool.allocate(all.placeBytes(), decodes)).slice();
        if (array.encoding().format() != null) {
            openDecoder(device, pool);
        }
        decodes.synchronize(); // The other stream uses the memory too.
    }

    private void openDecoder(CudaDevice device, DeviceMemoryPool pool) throws IOException {
        decoder = owned.add(BatchDecoder.open(array.encoding().format(), decodes));
        for (int i = 0; i < all.chunks.size(); i++) {
            addFrames(all.chunks.get(i), (long) i * array.innerBytes());
        }
        batchCount = Math.ceilDiv(frames.size(), batchFrames);
        for (int i = 0; i < frames.size(); i++) {
            lastBatchOf[frames.get(i).stretch()] = i / batchFrames;
        }
        target = owned.add(pool.allocate(all.decodedBytes(), decodes)).slice();
        long largest = frames.stream().mapToLong(Frame::targetBytes).max().orElseThrow();
        long scratchBytes = decoder.scratchBytes(batchFrames, largest, batchFrames * largest);
        scratch = owned.add(pool.allocate(Math.max(1, scratchBytes), decodes)).slice();
        long step = (DecodeBatch.bytes(batchFrames) + 255) & -256L;
        long arraysBytes = 2L * batchCount * step;
        MemorySegment host = owned.add(PinnedMemory.open(device, arraysBytes)).segment();
        Allocation arrays = owned.add(pool.allocate(arraysBytes, decodes));
        for (int i = 0; i < 2 * batchCount; i++) {
            DeviceSlice at = arrays.slice().slice(i * step, step);
            batches.add(new DecodeBatch(host.asSlice(i * step, step), at, batchFrames));
            decoded.add(owned.add(CudaEvent.openAwaited(device)));
        }
    }

    private void addFrames(Chunk chunk, long to) {
        long place = chunk.place();
        switch (array.encoding()) {
            case SHUFFLE_LZ4 ->
                    frames.add(
                            new Frame(
                                    place + Integer.BYTES,
                                    chunk.bytes() - Integer.BYTES,
                                    to,
                                    array.innerBytes(),
                                    chunk.stretch()));
            case BLOSC_ZSTD, LARGE_BLOSC_ZSTD, BLOSC_SNAPPY ->
                    BloscFrame.read(pinned.asSlice(place, chunk.bytes()))
                            .streams((from, bytes, at, decodedBytes, isStored) -> {
                                if (!isStored) {
                                    frames.add(
                                            new Frame(
                                                    place + from,
                                                    bytes,
                                                    to + at,
                                                    decodedBytes,
                                                    chunk.stretch()));
                                }
                            });
            default ->
                    frames.add(
                            new Frame(
                                    place, chunk.bytes(), to, array.innerBytes(), chunk.stretch()));
        }
    }

    /** Measures everything that the array's encoding allows. */
    GpuLimits measure(int passes) throws IOException {
        double readAndCopy = rate(Mode.READ_AND_COPY, passes);
        if (decoder == null) {
            double once = rate(Mode.READ_AND_COPY, 1);
            return new GpuLimits(readAndCopy, Double.NaN, readAndCopy, once);
        }
        double copyAndDecode = rate(Mode.COPY_AND_DECODE, passes);
        double pipeline = rate(Mode.ALL, passes);
        double once = rate(Mode.ALL, 1);
        check();
        return new GpuLimits(readAndCopy, copyAndDecode, pipeline, once);
    }

    /** Returns the best of a few rounds, because this is a limit. */
    private double rate(Mode mode, int passes) throws IOException {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            new Round(mode, passes).run();
            best = Math.min(best, System.nanoTime() - begin);
        }
        return (double) all.decodedBytes() * passes / best;
    }

    /** Checks statuses and sizes of all chunks, and bytes of some. */
    private void check() throws IOException {
        for (DecodeBatch batch : batches.subList(0, batchCount)) {
            if (batch.failedChunks().findAny().isPresent()) {
                throw new IOException(batch.failedChunks().count() + " chunks were not decoded");
            }
        }
        int perShard = array.chunksPerShard();
        for (int i = 0; i < all.chunks.size(); i += CHECK_EVERY) {
            byte[] elements = array.elements(i / perShard, i % perShard);
            copies.copyToHost(
                    target.slice((long) i * array.innerBytes(), array.innerBytes()), checked);
            copies.synchronize();
            byte[] expected = array.encoding().beforeCompression(elements);
            if (!Arrays.equals(
                    expected, checked.asSlice(0, array.innerBytes()).toArray(JAVA_BYTE))) {
                throw new IOException("chunk " + i + " was decoded to other bytes");
            }
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

    /** One measurement: the state shared by the readers and the device's thread. */
    private final class Round {
        private final Mode mode;
        private final int passes;
        private final int stretches = all.stretches.size();
        private final AtomicLong next = new AtomicLong();
        private final AtomicIntegerArray read = new AtomicIntegerArray(stretches); // passes
        private final AtomicIntegerArray sent = new AtomicIntegerArray(stretches); // passes
        private final ArrayDeque<Integer> underWay = new ArrayDeque<>();
        private volatile Throwable failure;

        Round(Mode mode, int passes) {
            this.mode = mode;
            this.passes = passes;
        }

        void run() throws IOException {
            List<Thread> readers =
                    IntStream.range(0, mode.reads ? threads : 0)
                            .mapToObj(_ -> Thread.ofPlatform().start(this::readAll))
                            .toList();
            for (int pass = 0; pass < passes; pass++) {
                copyAndDecode(pass);
            }
            copies.synchronize();
            decodes.synchronize();
            Threads.join(readers);
            checkReaders();
        }

        private void readAll() {
            try {
                long count = (long) stretches * passes;
                for (long k = next.getAndIncrement(); k < count; k = next.getAndIncrement()) {
                    int stretch = (int) (k % stretches);
                    int pass = (int) (k / stretches);
                    while (sent.getAcquire(stretch) < pass && failure == null) {
                        Thread.onSpinWait();
                    }
                    Pipeline.this.read(all.stretches.get(stretch));
                    read.setRelease(stretch, pass + 1);
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
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
                    copies.waitFor(decoded.get(index(pass - 1, lastBatchOf[i])));
                }
                Stretch stretch = all.stretches.get(i);
                copies.copyToDevice(
                        pinned.asSlice(stretch.place(), stretch.bytes()),
                        source.slice(stretch.place(), stretch.bytes()));
                copied.get(i).record(copies);
                if (mode.reads) {
                    underWay.add(i);
                    lookAtCopies();
                }
                while (mode.decodes && batch < batchCount && lastStretch(batch) <= i) {
                    decode(pass, batch++, copied.get(i));
                }
            }
        }

        private int lastStretch(int batch) {
            int last = Math.min((batch + 1) * batchFrames, frames.size()) - 1;
            return frames.get(last).stretch();
        }

        /** Reports finished copies to the readers; only this thread may query the events. */
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
            batch.clear();
            int end = Math.min((number + 1) * batchFrames, frames.size());
            for (Frame frame : frames.subList(number * batchFrames, end)) {
                batch.add(
                        source.slice(frame.place(), frame.bytes()),
                        target.slice(frame.target(), frame.targetBytes()));
            }
            decodes.waitFor(isCopied);
            decoder.decode(batch, scratch);
            isDecoded.record(decodes);
        }

        private void checkReaders() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        owned.close();
    }
}
