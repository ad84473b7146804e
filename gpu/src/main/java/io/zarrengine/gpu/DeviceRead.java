package io.zarrengine.gpu;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.sink.ChunkBlock;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.sink.StoredChunks;
import io.zarrengine.zarr.sink.StoredStretch;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A read to device memory. It has ended when the workers have handed all of its chunks over and the
 * device has done all that was handed over: afterwards nobody writes to the target any more.
 *
 * <p>Threads: any.
 */
final class DeviceRead implements ChunkSink {
    private static final long BLOCK_BYTES = 256 << 10;

    private final DeviceExecutor executor;
    private final DeviceSlice target;
    private final AtomicInteger left =
            new AtomicInteger(1); // slots with chunks of it, and the workers
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Encodings encodings;
    private final long load;
    private final long chunkBytes;
    private final AtomicLong toCome; // chunks that no batch has, about
    private final AtomicLong untouched; // chunks that no worker has begun, about
    private volatile ReadRequest request;

    /**
     * Begins; {@link DeviceExecutor#newRead} is for others.
     *
     * @param load about how many chunks it has
     * @param chunkBytes of each, decoded
     */
    DeviceRead(DeviceExecutor executor, DeviceSlice target, long load, long chunkBytes) {
        this.executor = executor;
        this.target = target;
        this.encodings = new Encodings(executor, load);
        this.load = load;
        this.chunkBytes = chunkBytes;
        this.toCome = new AtomicLong(load);
        this.untouched = new AtomicLong(load);
    }

    /** Completes when nothing of the read is left. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    DeviceSlice target() {
        return target;
    }

    long load() {
        return load;
    }

    long chunkBytes() {
        return chunkBytes;
    }

    /** The calling thread's. */
    Lane lane() {
        return executor.lane();
    }

    /** Set before the request begins; a failure that came before is passed on. */
    void setRequest(ReadRequest newRequest) {
        request = newRequest;
        Throwable cause = failure.get();
        if (cause != null) {
            newRequest.fail(cause);
        }
    }

    /** Gives the read up. It still has to end. */
    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
        ReadRequest begun = request;
        if (begun != null) {
            begun.fail(cause);
        }
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Chunks have joined a batch. */
    void joined(int chunks) {
        executor.came(take(toCome, chunks));
    }

    /** Workers have begun with chunks. */
    void touched(int chunks) {
        executor.touched(take(untouched, chunks));
    }

    /** Returns how many were left of so many: there may be more than was thought. */
    private static long take(AtomicLong left, int chunks) {
        long before = left.getAndUpdate(now -> Math.max(0, now - chunks));
        return Math.min(before, chunks);
    }

    /** The workers have handed everything over, or failed. */
    void handedOver(Throwable cause) {
        executor.came(toCome.getAndSet(0));
        executor.touched(untouched.getAndSet(0));
        if (cause != null) {
            fail(cause);
        }
        shareEnded();
    }

    /** A slot has some of its chunks: before the workers have handed everything over. */
    void shareBegins() {
        left.incrementAndGet();
    }

    /** Those chunks are where they belong, or given up; or the workers do nothing more. */
    void shareEnded() {
        if (left.decrementAndGet() == 0) {
            executor.forget(this);
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
        touched(1);
        if (hasFailed()) {
            return;
        }
        Encodings.Kind kind = encodings.kind(pipeline);
        HostDecoding reason = encodings.refusal(kind, workspace);
        if (reason == null && kind.isEncoded()) {
            MemorySegment bytes = kind.codecs().withoutChecksums(pipeline, encoded, workspace);
            switch (encodings.of(kind, bytes, executor.options().slotBytes(), workspace)) {
                case Encoding encoding -> {
                    putEncoded(bytes, kind, encoding, parts, workspace, label);
                    return;
                }
                case HostDecoding refusal -> reason = refusal;
            }
        }
        long begin = System.nanoTime();
        MemorySegment elements = HostElements.decode(pipeline, encoded, workspace);
        encodings.hostDecoded(kind, System.nanoTime() - begin);
        if (reason != null) {
            executor.counters().decodedByHost(reason.toString());
        }
        if (elements.byteSize() <= executor.options().slotBytes()) {
            putElements(elements, kind.layout(), parts, label);
            return;
        }
        var blocks =
                new ChunkBlocks(
                        pipeline.encodedShape(),
                        pipeline.elementBytes(),
                        executor.options().slotBytes());
        for (ChunkBlocks.Block block : blocks.holding(parts)) {
            putElements(
                    elements.asSlice(block.offset(), block.bytes()),
                    ChunkLayout.of(pipeline, block.shape(), false),
                    block.parts(),
                    label);
        }
    }

    private void putEncoded(
            MemorySegment bytes,
            Encodings.Kind kind,
            Encoding encoding,
            List<Region> parts,
            Workspace workspace,
            Supplier<String> label) {
        long before = Frames.before(kind.codecs().compression());
        MemorySegment placed =
                encoding.aligned().map(to -> to.align(bytes, workspace)).orElse(bytes);
        var source =
                executor.landing().bytesOf(placed, before, encodings.alignment(kind, encoding));
        put(lane(), source, encoding, kind.layout(), parts, label);
    }

    @Override
    public boolean lendsFor(int alignment) {
        // What goes through the page cache is still in a core's cache: the kernel has copied it.
        return alignment > 1 && !hasFailed();
    }

    @Override
    public LentMemory tryLend(long bytes) {
        Lane lane = lane();
        return executor.landing().tryTake(bytes, () -> lane.sealLent(bytes));
    }

    @Override
    public long blockBytes(FileHandle file, ChunkPipeline pipeline) {
        long direct = readsItself(file, pipeline);
        if (direct > 0) {
            return pipeline.decodedBytes() > direct ? direct : 0;
        }
        return blockBytes(executor.options(), pipeline);
    }

    /** The same where the host reads: blocks are still in a core's cache when it copies them. */
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
        touched(1);
        if (!hasFailed()) {
            putElements(bytes, ChunkLayout.of(pipeline, block), parts, label);
        }
    }

    private void putElements(
            MemorySegment elements,
            ChunkLayout layout,
            List<Region> parts,
            Supplier<String> label) {
        ChunkBytes bytes = executor.landing().bytesOf(elements, 0, 1);
        put(lane(), bytes, Encoding.NONE, layout, parts, label);
    }

    /** {@code encoding}: what the device undoes, of a chunk whose elements lie so. */
    private void put(
            Lane lane,
            ChunkBytes bytes,
            Encoding encoding,
            ChunkLayout layout,
            List<Region> parts,
            Supplier<String> label) {
        put(
                lane,
                bytes,
                layout,
                parts,
                pieces -> DeviceChunk.ofBytes(this, encoding, pieces, label));
    }

    /** {@code chunk}: makes one of some of the pieces; mostly they are all. */
    private void put(
            Lane lane,
            ChunkBytes bytes,
            ChunkLayout layout,
            List<Region> parts,
            Function<List<Piece>, DeviceChunk> chunk) {
        int most = executor.options().partsOfChunkMax();
        if (parts.size() <= most) {
            lane.put(bytes, chunk.apply(lane.pieces().pieces(layout, parts)));
            return;
        }
        for (int from = 0; from < parts.size(); from += most) { // It goes there several times.
            List<Region> some = parts.subList(from, Math.min(from + most, parts.size()));
            lane.put(bytes, chunk.apply(lane.pieces().pieces(layout, some)));
        }
    }

    /**
     * Hands a chunk over that the device copies from a file itself.
     *
     * @param lane the calling thread's
     * @param i which of the stretch
     * @param kind of the stretch
     * @param encoding what the device undoes of it
     */
    void putOfFile(
            Lane lane,
            StoredStretch stretch,
            int i,
            Encodings.Kind kind,
            Encoding encoding,
            RegisteredFile file) {
        StoredChunks chunks = stretch.chunks();
        var bytes =
                ChunkBytes.of(
                        file,
                        stretch.offset() + chunks.offset(i),
                        chunks.bytes(i),
                        Frames.before(kind.codecs().compression()),
                        encodings.alignment(kind, encoding));
        put(lane, bytes, encoding, layout(stretch), chunks.parts(i), () -> chunks.label(i));
    }

    /** {@return how the elements lie of a stretch's chunks, or of its block of one} */
    ChunkLayout layout(StoredStretch stretch) {
        return stretch.block() == null
                ? encodings.kind(stretch.pipeline()).layout()
                : ChunkLayout.of(stretch.pipeline(), stretch.block());
    }

    Encodings encodings() {
        return encodings;
    }

    @Override
    public long readsItself(FileHandle file, ChunkPipeline pipeline) {
        return executor.direct().map(direct -> direct.stretchBytesMax(file, pipeline)).orElse(0L);
    }

    /** Not where cuFile reads: it would read what lies between them, too. */
    @Override
    public boolean readsTogether(FileHandle file, long offset, long bytes) {
        return executor.direct().isEmpty() && executor.registered().mayUse(file, offset, bytes);
    }

    @Override
    public boolean tryRead(StoredStretch stretch, Workspace workspace) {
        if (hasFailed()) {
            return true;
        }
        boolean isReadDirectly =
                executor.direct().map(direct -> direct.tryRead(this, stretch)).orElse(false);
        return isReadDirectly || executor.registered().tryRead(this, stretch, workspace);
    }

    /** {@code layout}: of the elements, which are a chunk's, or a block's of it. */
    void putResident(
            Resident resident, ChunkLayout layout, List<Region> parts, Supplier<String> label) {
        put(
                lane(),
                ChunkBytes.NONE,
                layout,
                parts,
                pieces -> DeviceChunk.ofResident(this, resident, pieces, label));
    }

    @Override
    public void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element) {
        FillElement fill = FillElement.of(element);
        ChunkLayout layout = encodings.kind(pipeline).layout();
        put(
                lane(),
                ChunkBytes.NONE,
                layout,
                parts,
                pieces -> DeviceChunk.ofFill(this, fill, pieces));
    }

    /** Copies bytes that are the target's, from an offset on. */
    void putBytes(Lane lane, MemorySegment bytes, long targetOffset) {
        List<Piece> run = List.of(Piece.ofBytes(targetOffset, bytes.byteSize()));
        lane.put(
                ChunkBytes.ofHost(bytes, 0, 1),
                DeviceChunk.ofBytes(this, Encoding.NONE, run, () -> "bytes"));
    }
}
