package io.zarrengine.zarr.device;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.ChunkPipeline.Serializer;
import io.zarrengine.zarr.codec.DeviceCodecs;
import io.zarrengine.zarr.codec.DeviceCodecs.Compression;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.execute.ChunkSink;
import io.zarrengine.zarr.execute.ReadRequest;
import io.zarrengine.zarr.execute.StoredStretch;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
    /** What decoders want at most. */
    private static final int FRAME_ALIGNMENT = 4;

    private record Known(ChunkPipeline pipeline, Optional<DeviceCodecs> codecs) {}

    private final DeviceExecutor executor;
    private final DeviceSlice target;
    private final AtomicLong left = new AtomicLong(1); // chunks on their way, and the workers' part
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final long load;
    private final AtomicLong toCome; // chunks that no batch has, about
    private volatile Known known;
    private volatile ReadRequest request;

    /** {@code load}: about how many chunks it has. */
    DeviceRead(DeviceExecutor executor, DeviceSlice target, long load) {
        this.executor = executor;
        this.target = target;
        this.load = load;
        this.toCome = new AtomicLong(load);
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
        long before = toCome.getAndUpdate(left -> Math.max(0, left - chunks));
        executor.came(Math.min(before, chunks));
    }

    /** The workers have handed everything over, or failed. */
    void handedOver(Throwable cause) {
        executor.came(toCome.getAndSet(0));
        if (cause != null) {
            fail(cause);
        }
        partEnded();
    }

    /** A chunk is where it belongs, or given up. */
    void partEnded() {
        partsEnded(1);
    }

    /** The same of several. */
    void partsEnded(int count) {
        if (left.addAndGet(-count) == 0) {
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
        if (hasFailed()) {
            return;
        }
        DeviceCodecs codecs = codecs(pipeline).orElse(null);
        if (codecs != null && !isNothing(codecs)) {
            MemorySegment bytes = codecs.withoutChecksums(pipeline, encoded, workspace);
            Encoding encoding = encoding(pipeline, codecs, bytes, workspace);
            if (encoding != null) {
                long before = Frames.before(codecs.compression());
                ChunkBytes source = ChunkBytes.ofHost(bytes, before, FRAME_ALIGNMENT);
                putEncoded(pipeline, encoding, source, parts, label);
                return;
            }
        }
        long begin = System.nanoTime();
        HostElements elements = HostElements.decode(pipeline, encoded, workspace);
        boolean isMeasured = codecs != null && codecs.conversion().isEmpty();
        NvcompFormat format = isMeasured ? format(codecs.compression()) : null;
        if (format != null) {
            long nanos = System.nanoTime() - begin;
            executor.costs().hostDecoded(format, pipeline.decodedBytes(), nanos);
        }
        if (elements.bytes().byteSize() <= executor.slotBytes()) {
            ChunkBytes bytes = ChunkBytes.ofHost(elements.bytes(), 0, 1);
            int swapBytes = elements.swapBytes();
            putElements(pipeline, pipeline.encodedShape(), bytes, swapBytes, parts, label);
            return;
        }
        var blocks =
                new ChunkBlocks(
                        pipeline.encodedShape(), pipeline.elementBytes(), executor.slotBytes());
        for (ChunkBlocks.Block block : blocks.holding(parts)) {
            MemorySegment inside = elements.bytes().asSlice(block.offset(), block.bytes());
            ChunkBytes bytes = ChunkBytes.ofHost(inside, 0, 1);
            putElements(pipeline, block.shape(), bytes, elements.swapBytes(), block.parts(), label);
        }
    }

    /** Whether a chunk's bytes are its elements, behind checksums perhaps. */
    private static boolean isNothing(DeviceCodecs codecs) {
        return codecs.compression() == Compression.NONE
                && !codecs.isShuffled()
                && codecs.conversion().isEmpty();
    }

    /** What the device undoes of a chunk without its checksums; null if the worker decodes it. */
    private Encoding encoding(
            ChunkPipeline pipeline, DeviceCodecs codecs, MemorySegment bytes, Workspace workspace) {
        if (codecs.compression() == Compression.NONE) {
            boolean isTaken = !codecs.isShuffled() && isWhole(bytes, pipeline.serializedBytesMax());
            return isTaken ? new Encoding(codecs, null, null) : null;
        }
        boolean isTaken =
                executor.isLoaded()
                        && fits(pipeline, bytes.byteSize())
                        && !codecs.mustVerify(bytes, workspace);
        if (!isTaken) {
            return null;
        }
        return codecs.compression() == Compression.BLOSC
                ? bloscEncoding(pipeline, codecs, bytes)
                : frameEncoding(pipeline, codecs, bytes);
    }

    /** Whether a slot has room for a chunk as it is, and decoded, if the host rescues it. */
    private boolean fits(ChunkPipeline pipeline, long encodedBytes) {
        long decodedBytes = Math.max(pipeline.serializedBytesMax(), pipeline.decodedBytes());
        return Math.max(encodedBytes + FRAME_ALIGNMENT, decodedBytes) <= executor.slotBytes();
    }

    private Encoding bloscEncoding(
            ChunkPipeline pipeline, DeviceCodecs codecs, MemorySegment bytes) {
        long decodedBytes = pipeline.serializedBytesMax();
        int elementBytes = codecs.storedElementBytes(pipeline);
        NvcompFormat inner = BloscStreams.format(bytes, decodedBytes, elementBytes);
        if (!isDevices(codecs, inner, decodedBytes)) {
            return null;
        }
        BloscStreams streams = BloscStreams.of(bytes, elementBytes);
        return hasRoom(streams) ? new Encoding(codecs, inner, streams) : null;
    }

    private Encoding frameEncoding(
            ChunkPipeline pipeline, DeviceCodecs codecs, MemorySegment bytes) {
        long decodedBytes = pipeline.serializedBytesMax();
        NvcompFormat format = format(codecs.compression());
        if (!isDevices(codecs, format, decodedBytes)) {
            return null;
        }
        Optional<MemorySegment> frame = Frames.inside(codecs.compression(), bytes, decodedBytes);
        boolean passes =
                frame.isPresent()
                        && FrameCheck.refusal(format, frame.get(), decodedBytes).isEmpty();
        return passes ? new Encoding(codecs, format, null) : null;
    }

    private boolean isWhole(MemorySegment bytes, long expected) {
        return bytes.byteSize() == expected && expected <= executor.slotBytes();
    }

    /** {@return whether headers are looked at of chunks that {@link #mayBeInFile}} */
    boolean hasHeaders(ChunkPipeline pipeline) {
        return codecs(pipeline).orElseThrow().compression() != Compression.NONE;
    }

    /** The same of one that {@link #mayBeInFile}; elements are nothing to undo. */
    Encoding encodingInFile(ChunkPipeline pipeline, MemorySegment bytes, Workspace workspace) {
        DeviceCodecs codecs = codecs(pipeline).orElseThrow();
        return !isNothing(codecs)
                ? encoding(pipeline, codecs, bytes, workspace)
                : isWhole(bytes, pipeline.decodedBytes()) ? Encoding.NONE : null;
    }

    /** Hands a chunk over that the device copies from a file itself. */
    void putOfFile(
            ChunkPipeline pipeline,
            Encoding encoding,
            MemorySegment bytes,
            RegisteredFile file,
            long offset,
            StoredStretch.Chunk chunk) {
        DeviceCodecs codecs = encoding.codecs();
        long before = codecs == null ? 0 : Frames.before(codecs.compression());
        long alignment = alignment(pipeline, encoding);
        var source = new ChunkBytes(bytes, before, alignment, file, offset);
        if (codecs == null) {
            putElements(
                    pipeline,
                    pipeline.encodedShape(),
                    source,
                    pipeline.swapBytes(),
                    chunk.parts(),
                    chunk.label());
        } else {
            putEncoded(pipeline, encoding, source, chunk.parts(), chunk.label());
        }
    }

    /** What the address of a frame must be a multiple of, or that of elements should be. */
    private long alignment(ChunkPipeline pipeline, Encoding encoding) {
        if (encoding.format() != null) {
            return executor.sourceAlignment(encoding.format());
        }
        DeviceCodecs codecs = encoding.codecs();
        int elementBytes =
                codecs == null ? pipeline.elementBytes() : codecs.storedElementBytes(pipeline);
        return Math.min(Integer.lowestOneBit(elementBytes), BatchLoad.ALIGNMENT);
    }

    /** As many parts as a chunk may have: with more, it goes to the device several times. */
    private List<List<Region>> groups(List<Region> parts) {
        int most = executor.options().partsOfChunkMax();
        if (parts.size() <= most) {
            return List.of(parts);
        }
        List<List<Region>> groups = new ArrayList<>();
        for (int from = 0; from < parts.size(); from += most) {
            groups.add(parts.subList(from, Math.min(from + most, parts.size())));
        }
        return groups;
    }

    /** All chunks of a regular grid share one pipeline. */
    private Optional<DeviceCodecs> codecs(ChunkPipeline pipeline) {
        Known last = known;
        if (last == null || !isSame(last.pipeline, pipeline)) {
            last = new Known(pipeline, DeviceCodecs.of(pipeline));
            known = last;
        }
        return last.codecs;
    }

    @SuppressWarnings("ReferenceEquality") // Comparing the lists inside would take longer.
    private static boolean isSame(ChunkPipeline a, ChunkPipeline b) {
        return a == b;
    }

    /** Null for what is no format, or one of several. */
    private static NvcompFormat format(Compression compression) {
        return switch (compression) {
            case ZSTD -> NvcompFormat.ZSTD;
            case LZ4 -> NvcompFormat.LZ4;
            case GZIP -> NvcompFormat.GZIP;
            case ZLIB -> NvcompFormat.DEFLATE;
            case NONE, BLOSC -> null;
        };
    }

    /** What is to be converted is always the device's: the workers take far longer for that. */
    private boolean isDevices(DeviceCodecs codecs, NvcompFormat format, long decodedBytes) {
        return format != null
                && executor.decodes(format)
                && (codecs.conversion().isPresent() || executor.isDevices(format, decodedBytes));
    }

    /** Whether a slot, and a batch, has room for all streams of a blosc chunk. */
    private boolean hasRoom(BloscStreams streams) {
        return streams.storedCount() <= executor.options().partsOfSlotMax()
                && BatchLoad.fits(executor.options(), streams.encodedCount(), streams.bytesMax());
    }

    private void putEncoded(
            ChunkPipeline pipeline,
            Encoding encoding,
            ChunkBytes source,
            List<Region> parts,
            Supplier<String> label) {
        DeviceCodecs codecs = encoding.codecs();
        int swapBytes =
                pipeline.serializer() instanceof Serializer.Elements elements
                        ? elements.swapBytes()
                        : 1; // Converting swaps.
        boolean mayBeDirect = !codecs.isShuffled() && codecs.conversion().isEmpty();
        for (List<Region> group : groups(parts)) {
            List<Piece> pieces =
                    pieces(pipeline, pipeline.encodedShape(), group, swapBytes, mayBeDirect);
            put(
                    source,
                    place ->
                            new DeviceChunk(
                                    this,
                                    pipeline,
                                    codecs,
                                    encoding.format(),
                                    encoding.blosc(),
                                    null,
                                    null,
                                    place,
                                    pipeline.serializedBytesMax(),
                                    pieces,
                                    label));
        }
    }

    /** {@code shape}: of the elements, which are a chunk's, or a block's of it. */
    private void putElements(
            ChunkPipeline pipeline,
            List<Long> shape,
            ChunkBytes elements,
            int swapBytes,
            List<Region> parts,
            Supplier<String> label) {
        for (List<Region> group : groups(parts)) {
            List<Piece> pieces = pieces(pipeline, shape, group, swapBytes, true);
            put(elements, place -> DeviceChunk.ofElements(this, pipeline, place, pieces, label));
        }
    }

    @Override
    public long readsItself(FileHandle file, ChunkPipeline pipeline) {
        return executor.direct().map(direct -> direct.stretchBytesMax(file, pipeline)).orElse(0L);
    }

    /** Whether the device may undo chunks of which the host has seen no more than the headers. */
    private boolean mayBeInFile(ChunkPipeline pipeline, Workspace workspace) {
        DeviceCodecs codecs = codecs(pipeline).orElse(null);
        if (codecs == null || codecs.checksums() > 0) {
            return false;
        }
        return switch (codecs.compression()) {
            case NONE -> !codecs.isShuffled();
            case BLOSC -> executor.isLoaded(); // The rest says each chunk.
            case GZIP, ZLIB -> !workspace.verifiesChecksums() && mayBeDevices(pipeline, codecs);
            case ZSTD, LZ4 -> mayBeDevices(pipeline, codecs);
        };
    }

    private boolean mayBeDevices(ChunkPipeline pipeline, DeviceCodecs codecs) {
        return executor.isLoaded()
                && isDevices(codecs, format(codecs.compression()), pipeline.serializedBytesMax());
    }

    @Override
    public boolean tryRead(StoredStretch stretch, Workspace workspace) {
        if (hasFailed()) {
            return true;
        }
        boolean isReadDirectly =
                executor.direct().map(direct -> direct.tryRead(this, stretch)).orElse(false);
        return isReadDirectly
                || (mayBeInFile(stretch.pipeline(), workspace)
                        && executor.registered().tryRead(this, stretch, workspace));
    }

    /** {@code shape}: of the elements, which are a chunk's, or a block's of it. */
    void putResident(
            ChunkPipeline pipeline,
            Resident resident,
            List<Long> shape,
            List<Region> parts,
            Supplier<String> label) {
        for (List<Region> group : groups(parts)) {
            List<Piece> pieces = pieces(pipeline, shape, group, pipeline.swapBytes(), true);
            put(
                    ChunkBytes.NONE,
                    place -> DeviceChunk.ofResident(this, resident, place, pieces, label));
        }
    }

    private static List<Piece> pieces(
            ChunkPipeline pipeline,
            List<Long> shape,
            List<Region> parts,
            int swapBytes,
            boolean mayBeDirect) {
        Piece[] pieces = new Piece[parts.size()]; // Mostly one.
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = piece(pipeline, shape, parts.get(i), swapBytes, mayBeDirect);
        }
        return List.of(pieces);
    }

    private static Piece piece(
            ChunkPipeline pipeline,
            List<Long> shape,
            Region part,
            int swapBytes,
            boolean mayBeDirect) {
        var element =
                new PieceBatch.Element(pipeline.elementBytes(), swapBytes == 1 ? 0 : swapBytes);
        Piece piece = Piece.of(part, shape, element);
        return mayBeDirect
                ? piece
                : new Piece(piece.box(), piece.sourceFirst(), piece.targetFirst(), element, false);
    }

    @Override
    public void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element) {
        FillElement fill = FillElement.of(element);
        for (List<Region> group : groups(parts)) {
            List<Piece> pieces = pieces(pipeline, pipeline.encodedShape(), group, 1, false);
            put(ChunkBytes.NONE, place -> DeviceChunk.ofFill(this, fill, place, pieces));
        }
    }

    /** Copies bytes that are the target's, from an offset on. */
    void putBytes(Lane lane, MemorySegment bytes, long targetOffset) {
        List<Piece> run = List.of(Piece.ofBytes(targetOffset, bytes.byteSize()));
        put(
                lane,
                ChunkBytes.ofHost(bytes, 0, 1),
                place -> DeviceChunk.ofElements(this, null, place, run, () -> "bytes"));
    }

    private void put(ChunkBytes bytes, Function<DeviceSlice, DeviceChunk> chunk) {
        put(lane(), bytes, chunk);
    }

    private void put(Lane lane, ChunkBytes bytes, Function<DeviceSlice, DeviceChunk> chunk) {
        left.incrementAndGet();
        try {
            lane.put(bytes, chunk);
        } catch (RuntimeException | Error e) { // It was not handed over.
            left.decrementAndGet();
            throw e;
        }
    }
}
