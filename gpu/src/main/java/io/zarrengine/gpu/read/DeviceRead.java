package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.ChunkLayout;
import io.zarrengine.gpu.chunk.ChunkSplitter;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.DeviceEncoding;
import io.zarrengine.gpu.chunk.FillElement;
import io.zarrengine.gpu.chunk.FrameBounds;
import io.zarrengine.gpu.chunk.HostDecoding;
import io.zarrengine.gpu.chunk.OwningRead;
import io.zarrengine.gpu.chunk.Piece;
import io.zarrengine.gpu.chunk.ResidentElements;
import io.zarrengine.gpu.file.PinnedFile;
import io.zarrengine.gpu.slot.WorkerSlot;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkElements;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.sink.ChunkBlock;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.sink.StoredStretch;
import io.zarrengine.zarr.sink.StretchChunks;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A read to device memory. It ends when the workers have handed over all of its chunks and the
 * device has finished with them. After that nothing writes to the target any more.
 *
 * <p>Threads: any.
 */
final class DeviceRead implements ChunkSink, OwningRead {
    private static final long BLOCK_BYTES = 256 << 10;

    private final ReadParts device;
    private final DeviceSlice target;
    private final AtomicInteger left =
            new AtomicInteger(1); // slots with its chunks, and one for the workers
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final DecodeRouter router;
    private final long load;
    private final long chunkBytes;
    private final AtomicLong unbatched; // approximate number of chunks in no batch
    private final AtomicLong unbegun; // approximate number of chunks not begun
    private final Consumer<DeviceRead> whenEnded;
    private volatile ReadRequest request;

    /**
     * Begins a read. Only {@link DeviceExecutor#newRead} calls this.
     *
     * @param load approximate number of its chunks
     * @param chunkBytes decoded bytes of each chunk
     * @param whenEnded runs before {@link #ended} completes
     */
    DeviceRead(
            ReadParts device,
            DeviceSlice target,
            long load,
            long chunkBytes,
            Consumer<DeviceRead> whenEnded) {
        this.device = device;
        this.target = target;
        this.router = new DecodeRouter(device.formats(), device.rule(), device.options(), load);
        this.load = load;
        this.chunkBytes = chunkBytes;
        this.unbatched = new AtomicLong(load);
        this.unbegun = new AtomicLong(load);
        this.whenEnded = whenEnded;
    }

    /** Returns a future that completes when the read has ended. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public DeviceSlice target() {
        return target;
    }

    /** Returns the slot of the calling thread. */
    WorkerSlot slot() {
        return device.slots().ofThread();
    }

    /** Sets the request before it begins. Passes on an earlier failure. */
    void setRequest(ReadRequest newRequest) {
        request = newRequest;
        Throwable cause = failure.get();
        if (cause != null) {
            newRequest.fail(cause);
        }
    }

    @Override
    public void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
        ReadRequest begun = request;
        if (begun != null) {
            begun.fail(cause);
        }
    }

    @Override
    public boolean hasFailed() {
        return failure.get() != null;
    }

    @Override
    public void batched(int chunks) {
        device.workload().batched(take(unbatched, chunks));
    }

    /** Notes that workers have begun chunks. */
    void begun(int chunks) {
        device.workload().begun(take(unbegun, chunks));
    }

    /**
     * Subtracts chunks and returns the number subtracted. Fewer may be left, because the count is
     * approximate.
     */
    private static long take(AtomicLong left, int chunks) {
        long before = left.getAndUpdate(now -> Math.max(0, now - chunks));
        return Math.min(before, chunks);
    }

    /** Notes that the workers have handed over all chunks, or failed. */
    void handedOver(Throwable cause) {
        device.workload().batched(unbatched.getAndSet(0));
        device.workload().begun(unbegun.getAndSet(0));
        if (cause != null) {
            fail(cause);
        }
        shareEnded();
    }

    @Override
    public void shareBegins() {
        left.incrementAndGet();
    }

    @Override
    public void shareEnded() {
        if (left.decrementAndGet() == 0) {
            device.workload().end(load, chunkBytes);
            whenEnded.accept(this);
            Throwable cause = failure.get();
            if (cause == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(cause);
            }
        }
    }

    @Override
    public void take(
            ChunkPipeline pipeline,
            MemorySegment encoded,
            List<Region> parts,
            Workspace workspace,
            Supplier<String> label)
            throws CodecException {
        begun(1);
        if (hasFailed()) {
            return;
        }
        DecodeRouter.Kind kind = router.kind(pipeline);
        HostDecoding reason = router.refusal(kind, workspace);
        if (reason == null && kind.isEncoded()) {
            MemorySegment bytes = kind.codecs().withoutChecksums(pipeline, encoded, workspace);
            switch (router.decide(kind, bytes, device.options().slotBytes(), workspace)) {
                case DeviceEncoding encoding -> {
                    putEncoded(bytes, kind, encoding, parts, workspace, label);
                    return;
                }
                case HostDecoding refusal -> reason = refusal;
            }
        }
        MemorySegment elements = ChunkElements.decode(pipeline, encoded, workspace);
        if (reason != null) {
            device.counters().decodedByHost(reason.toString());
        }
        if (elements.byteSize() <= device.options().slotBytes()) {
            putElements(elements, kind.layout(), parts, label);
            return;
        }
        var blocks =
                new ChunkSplitter(
                        pipeline.encodedShape(),
                        pipeline.elementBytes(),
                        device.options().slotBytes());
        for (ChunkSplitter.Block block : blocks.holding(parts)) {
            putElements(
                    elements.asSlice(block.offset(), block.bytes()),
                    ChunkLayout.of(pipeline, block.shape(), false),
                    block.parts(),
                    label);
        }
    }

    private void putEncoded(
            MemorySegment bytes,
            DecodeRouter.Kind kind,
            DeviceEncoding encoding,
            List<Region> parts,
            Workspace workspace,
            Supplier<String> label) {
        long before = FrameBounds.before(kind.codecs().compression());
        MemorySegment placed =
                encoding.aligned().map(to -> to.align(bytes, workspace)).orElse(bytes);
        var source = device.landing().bytesOf(placed, before, router.alignment(kind, encoding));
        put(slot(), source, encoding, kind.layout(), parts, label);
    }

    @Override
    public boolean lendsFor(int alignment) {
        // Bytes read through the page cache are still in a core's cache, because the kernel copied
        // them.
        return alignment > 1 && !hasFailed();
    }

    @Override
    public LentMemory tryLend(long bytes) {
        WorkerSlot slot = slot();
        return device.landing().tryTake(bytes, () -> slot.sealLent(bytes));
    }

    @Override
    public long blockBytes(FileHandle file, ChunkPipeline pipeline) {
        long direct = readsItself(file, pipeline);
        if (direct > 0) {
            return pipeline.decodedBytes() > direct ? direct : 0;
        }
        return blockBytes(device.options(), pipeline);
    }

    /**
     * Returns the block size for reads by the host. Blocks are still in a core's cache when it
     * copies them.
     */
    static long blockBytes(DeviceOptions options, ChunkPipeline pipeline) {
        boolean isLarge = pipeline.isPlain() && pipeline.decodedBytes() > options.slotBytes();
        return isLarge ? Math.min(BLOCK_BYTES, options.slotBytes()) : 0;
    }

    @Override
    public void takeBlock(
            ChunkPipeline pipeline,
            ChunkBlock block,
            MemorySegment bytes,
            List<Region> parts,
            Supplier<String> label) {
        begun(1);
        if (!hasFailed()) {
            putElements(bytes, ChunkLayout.of(pipeline, block), parts, label);
        }
    }

    private void putElements(
            MemorySegment elements,
            ChunkLayout layout,
            List<Region> parts,
            Supplier<String> label) {
        ChunkBytes bytes = device.landing().bytesOf(elements, 0, 1);
        put(slot(), bytes, DeviceEncoding.NONE, layout, parts, label);
    }

    /** Puts a chunk with this layout into a slot. {@code encoding} is what the device must undo. */
    private void put(
            WorkerSlot slot,
            ChunkBytes bytes,
            DeviceEncoding encoding,
            ChunkLayout layout,
            List<Region> parts,
            Supplier<String> label) {
        put(
                slot,
                bytes,
                layout,
                parts,
                pieces -> DeviceChunk.ofBytes(this, encoding, pieces, label));
    }

    /** Puts a chunk into a slot. {@code chunk} makes a chunk of some of the pieces, mostly all. */
    private void put(
            WorkerSlot slot,
            ChunkBytes bytes,
            ChunkLayout layout,
            List<Region> parts,
            Function<List<Piece>, DeviceChunk> chunk) {
        int most = device.options().partsOfChunkMax();
        if (parts.size() <= most) {
            slot.put(bytes, chunk.apply(slot.pieces().pieces(layout, parts)));
            return;
        }
        for (int from = 0; from < parts.size(); from += most) { // its bytes go several times
            List<Region> some = parts.subList(from, Math.min(from + most, parts.size()));
            slot.put(bytes, chunk.apply(slot.pieces().pieces(layout, some)));
        }
    }

    /**
     * Hands over a chunk that the device copies from a file by itself.
     *
     * @param slot the slot of the calling thread
     * @param i the index of the chunk in the stretch
     * @param kind the kind of the stretch's chunks
     * @param encoding the encoding that the device must undo
     */
    void putOfFile(
            WorkerSlot slot,
            StoredStretch stretch,
            int i,
            DecodeRouter.Kind kind,
            DeviceEncoding encoding,
            PinnedFile file) {
        StretchChunks chunks = stretch.chunks();
        var bytes =
                ChunkBytes.of(
                        file,
                        stretch.offset() + chunks.offset(i),
                        chunks.bytes(i),
                        FrameBounds.before(kind.codecs().compression()),
                        router.alignment(kind, encoding));
        put(slot, bytes, encoding, layout(stretch), chunks.parts(i), () -> chunks.label(i));
    }

    /** {@return the layout of the elements of a stretch's chunks, or of its block of one chunk} */
    ChunkLayout layout(StoredStretch stretch) {
        return stretch.block() == null
                ? router.kind(stretch.pipeline()).layout()
                : ChunkLayout.of(stretch.pipeline(), stretch.block());
    }

    DecodeRouter router() {
        return router;
    }

    @Override
    public long readsItself(FileHandle file, ChunkPipeline pipeline) {
        return file.isObject()
                ? 0
                : device.direct().map(direct -> direct.stretchBytesMax(file, pipeline)).orElse(0L);
    }

    /** False where cuFile reads, because it would also read the bytes between chunks. */
    @Override
    public boolean readsTogether(FileHandle file, long offset, long bytes) {
        return device.direct().isEmpty() && device.registered().mayUse(file, offset, bytes);
    }

    @Override
    public boolean tryRead(StoredStretch stretch, Workspace workspace) {
        if (hasFailed()) {
            return true;
        }
        if (stretch.file().isObject()) { // no file that a device could read
            return false;
        }
        boolean isReadDirectly =
                device.direct().map(direct -> direct.tryRead(this, stretch)).orElse(false);
        return isReadDirectly || device.registered().tryRead(this, stretch, workspace);
    }

    /** {@code layout} is that of a chunk's elements, or of a block's. */
    void putResident(
            ResidentElements resident,
            ChunkLayout layout,
            List<Region> parts,
            Supplier<String> label) {
        put(
                slot(),
                ChunkBytes.NONE,
                layout,
                parts,
                pieces -> DeviceChunk.ofResident(this, resident, pieces, label));
    }

    @Override
    public void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element) {
        FillElement fill = FillElement.of(element);
        ChunkLayout layout = router.kind(pipeline).layout();
        put(
                slot(),
                ChunkBytes.NONE,
                layout,
                parts,
                pieces -> DeviceChunk.ofFill(this, fill, pieces));
    }

    /** Copies bytes to the target, from an offset on. */
    void putBytes(WorkerSlot slot, MemorySegment bytes, long targetOffset) {
        List<Piece> run = List.of(Piece.ofBytes(targetOffset, bytes.byteSize()));
        slot.put(
                ChunkBytes.ofHost(bytes, 0, 1),
                DeviceChunk.ofBytes(this, DeviceEncoding.NONE, run, () -> "bytes"));
    }
}
