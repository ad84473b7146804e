package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.MissingInnerChunkException;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkElements;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.pipeline.FilterChain;
import io.zarrengine.zarr.place.Fill;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.PieceCursor;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Decodes chunks and places their elements. Owner: one worker.
 *
 * <p>Takes the first of these ways that applies. One call decodes a small chunk and places its
 * rows. If the whole chunk is wanted and contiguous in the target, the codec decodes directly into
 * the target. The bytes of shuffled elements are put together in the target, row by row. Rows are
 * copied to the target from each block of a large chunk as it is decoded. Otherwise the codec
 * decodes to the workspace, and the wanted elements are copied from there. Without a compressor,
 * they are copied from the memory that the file was read into.
 */
public final class Placer {
    private final Workspace workspace;
    private final Metrics metrics;
    private final DecodedChunks kept;
    private final StridedBox box = new StridedBox();
    private final PieceCursor cursor = new PieceCursor();
    private final RawPlacer raw;
    private final BoxPlacer boxes;
    private final ShuffledPlacer shuffled;
    private final StreamedPlacer streamed;
    private final VariableLengthPlacer variableLength;

    public Placer(Workspace workspace, Metrics metrics, DecodedChunks kept) {
        this.workspace = workspace;
        this.metrics = metrics;
        this.kept = kept;
        this.raw = new RawPlacer(metrics);
        this.boxes = new BoxPlacer(workspace, metrics);
        this.shuffled = new ShuffledPlacer(workspace, metrics);
        this.streamed = new StreamedPlacer(workspace, metrics);
        this.variableLength = new VariableLengthPlacer(workspace, metrics);
    }

    /** {@return the placer for elements that are stored as they are} */
    public RawPlacer raw() {
        return raw;
    }

    /**
     * {@return the wanted parts of an inner chunk, in its encoded dimensions; valid until the next
     * call}
     *
     * @param pieces of the shard
     * @param piece number of the piece
     */
    public WantedRegions inner(ChunkPipeline inner, InnerPieces pieces, int piece) {
        inner.goTo(cursor, pieces, piece);
        return cursor;
    }

    /**
     * Returns the wanted parts of a slab, whose dimensions are the chunk's; valid until the next
     * call.
     */
    public WantedRegions slab(InnerPieces slabs, int slab) {
        cursor.set(slabs, slab, null);
        return cursor;
    }

    /** {@return the workspace of the worker} */
    public Workspace workspace() {
        return workspace;
    }

    /** {@return whether {@link #raw} takes chunks, which are then not cached} */
    public boolean takesRaw(Placement placement, ChunkPipeline pipeline) {
        return RawPlacer.takes(placement, pipeline) && !keeps(placement, pipeline);
    }

    /** {@return whether decoded chunks are cached} */
    public boolean keeps(Placement placement, ChunkPipeline pipeline) {
        return kept.keeps(pipeline.decodedBytes())
                && placement.sink() == null
                && pipeline.serializer() instanceof Serializer.Elements;
    }

    /**
     * Places parts of a chunk from the cache; returns false if it is not cached.
     *
     * @param key of a chunk that this {@link #keeps}
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    public boolean placeKept(
            Placement placement,
            ChunkPipeline pipeline,
            DecodedChunks.Key key,
            WantedRegions parts) {
        try (DecodedChunks.Kept chunk = kept.get(key)) { // Closing null does nothing.
            if (chunk == null) {
                return false;
            }
            MemorySegment decoded = chunk.elements();
            metrics.delivered(scatter(placement, pipeline, decoded, parts, pipeline.swapBytes()));
            return true;
        }
    }

    /** Places parts of an encoded chunk, and caches the whole chunk. */
    private void placeAndKeep(
            Placement placement,
            ChunkPipeline pipeline,
            DecodedChunks.Key key,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        MemorySegment decoded = ChunkElements.decode(pipeline, encoded, workspace);
        kept.put(key, decoded);
        long delivered = scatter(placement, pipeline, decoded, parts, pipeline.swapBytes());
        metrics.chunkDecoded(
                placement.recorded(), encoded.byteSize(), pipeline.decodedBytes(), delivered);
    }

    /**
     * Places parts of an encoded chunk.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @throws CodecException if the chunk is corrupt
     */
    void place(
            Placement placement, ChunkPipeline pipeline, MemorySegment encoded, WantedRegions parts)
            throws CodecException {
        switch (pipeline.serializer()) {
            case Serializer.Elements elements ->
                    placeElements(placement, pipeline, elements, encoded, parts);
            case Serializer.Filtered filtered ->
                    placeFiltered(placement, pipeline, filtered, encoded, parts);
            case Serializer.VariableLength variable ->
                    variableLength.place(placement, pipeline, variable, encoded, parts);
            case Serializer.Shard shard -> placeShard(placement, pipeline, shard, encoded, parts);
            case Serializer.FilteredChunk filtered ->
                    placeFilteredChunk(placement, pipeline, filtered, encoded, parts);
        }
    }

    /**
     * Places parts of an encoded chunk or passes them to the request's sink. May cache the chunk.
     *
     * @param names the cache keys and names of chunks; the sink may ask for a name later
     * @param i number of the chunk in {@code names}
     */
    public void deliver(
            Placement placement,
            ChunkPipeline pipeline,
            MemorySegment encoded,
            WantedRegions parts,
            ChunkNames names,
            int i)
            throws CodecException {
        if (keeps(placement, pipeline)) {
            placeAndKeep(placement, pipeline, names.keyOf(i), encoded, parts);
        } else if (placement.sink() == null) {
            placeAtOnce(placement, pipeline, encoded, parts);
        } else {
            placement
                    .sink()
                    .take(pipeline, encoded, parts.toList(), workspace, () -> names.labelOf(i));
            metrics.chunksTaken(1, encoded.byteSize());
        }
    }

    /** Counts chunks that a sink has taken. A further block of a counted chunk counts as none. */
    public void countTaken(int chunks, long encodedBytes) {
        metrics.chunksTaken(chunks, encodedBytes);
    }

    /**
     * Gives back the room of the elements if memory is short, because the chunk is decoded again
     * later.
     */
    private void placeAtOnce(
            Placement placement, ChunkPipeline pipeline, MemorySegment encoded, WantedRegions parts)
            throws CodecException {
        variableLength.begin();
        try {
            place(placement, pipeline, encoded, parts);
        } catch (MemoryShortException e) {
            variableLength.giveBack(placement);
            throw e;
        }
    }

    private void placeElements(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        long bytes = pipeline.decodedBytes();
        if (boxes.place(placement, pipeline, encoded, parts)) {
            return;
        }
        MemorySegment direct = directTarget(placement, pipeline, elements, parts);
        if (direct != null) {
            List<BytesCodec> codecs = pipeline.bytesCodecs();
            MemorySegment decoded = ChunkDecoder.decode(codecs, encoded, direct, workspace);
            ChunkElements.checkSize(codecs, decoded, bytes);
            metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, bytes);
            return;
        }
        if (shuffled.place(placement, pipeline, encoded, parts)
                || streamed.place(placement, pipeline, encoded, parts)) {
            return;
        }
        if (ChunkDecoder.decodesRanges(pipeline.bytesCodecs(), bytes)) {
            placeRange(placement, pipeline, elements, encoded, parts);
            return;
        }
        MemorySegment decoded = ChunkElements.decode(pipeline, encoded, workspace);
        long delivered = scatter(placement, pipeline, decoded, parts, elements.swapBytes());
        metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, delivered);
    }

    /**
     * Returns the part of the target that the codec can write directly, if the whole chunk is
     * wanted and contiguous there; otherwise null. Excludes mapped files: if one is truncated
     * meanwhile, native code ends the process.
     */
    private MemorySegment directTarget(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            WantedRegions parts) {
        if (parts.size() > 1 || !pipeline.decodesToTarget() || elements.swapBytes() > 1) {
            return null;
        }
        box.set(parts.get(0), pipeline.encodedLengths(), pipeline.elementBytes());
        boolean whole = box.isContiguous() && box.bytes() == pipeline.decodedBytes();
        return whole && placement.target().isNative() && !placement.target().isMapped()
                ? placement.target().asSlice(box.targetOffset(), box.bytes())
                : null;
    }

    /**
     * Decodes from the first wanted element to the last one, for codecs that can decode a range.
     */
    private void placeRange(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        ByteRange wanted = raw.range(pipeline, parts);
        MemorySegment decoded = workspace.result(pipeline.decodedBytes());
        long bytes =
                ChunkDecoder.decodeRange(
                        pipeline.bytesCodecs(),
                        encoded,
                        decoded,
                        wanted.from(),
                        wanted.to(),
                        workspace);
        long delivered = scatter(placement, pipeline, decoded, parts, elements.swapBytes());
        metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, delivered);
    }

    private void placeFiltered(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Filtered filtered,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        MemorySegment decodedTo =
                pipeline.bytesCodecs().isEmpty()
                        ? encoded
                        : workspace.result(filtered.storedBytes());
        MemorySegment stored =
                ChunkDecoder.decode(pipeline.bytesCodecs(), encoded, decodedTo, workspace);
        long bytes = pipeline.decodedBytes();
        MemorySegment elements = FilterChain.decode(filtered.filters(), stored, bytes, workspace);
        long delivered = scatter(placement, pipeline, elements, parts, 1);
        metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, delivered);
    }

    /**
     * Returns the number of bytes copied. Elements that are stored as they are may be in a mapped
     * file.
     */
    private long scatter(
            Placement placement,
            ChunkPipeline pipeline,
            MemorySegment elements,
            WantedRegions parts,
            int swapBytes) {
        long bytes = 0;
        for (int i = 0; i < parts.size(); i++) {
            box.set(parts.get(i), pipeline.encodedLengths(), pipeline.elementBytes());
            Scatter.copyFastest(box, elements, placement.target(), swapBytes);
            bytes += box.bytes();
        }
        return bytes;
    }

    /** Decodes a shard that is compressed as a whole, then places its inner chunks. */
    private void placeShard(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        if (pipeline.bytesCodecs().isEmpty()) {
            placeInnerChunks(placement, pipeline, shard, encoded, parts);
            return;
        }
        MemorySegment decoded =
                ChunkDecoder.decodeUnknownSize(
                        pipeline.bytesCodecs(),
                        encoded,
                        pipeline.serializedBytesMax(),
                        shard.indexBytes() + shard.inner().workspaceBytes(0),
                        workspace);
        try (Workspace.Loan _ = workspace.setAside()) { // inner chunks decode to the same memory
            placeInnerChunks(placement, pipeline, shard, decoded, parts);
        }
    }

    private void placeInnerChunks(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment bytes,
            WantedRegions parts)
            throws CodecException {
        long indexBytes = shard.indexBytes();
        if (bytes.byteSize() < indexBytes) {
            throw new CodecException(
                    "sharding_indexed",
                    "a shard of "
                            + bytes.byteSize()
                            + " bytes, its index alone takes "
                            + indexBytes);
        }
        long at = shard.index().atStart() ? 0 : bytes.byteSize() - indexBytes;
        MemorySegment encoded = bytes.asSlice(at, indexBytes);
        try (Workspace.Loan _ = workspace.countHeap(indexBytes)) {
            ShardIndex index = ShardIndex.decode(shard.index(), encoded, bytes.byteSize());
            placeInnerChunks(placement, pipeline, shard, bytes, index, parts);
        }
    }

    private void placeInnerChunks(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment bytes,
            ShardIndex index,
            WantedRegions parts)
            throws CodecException {
        InnerPieces pieces = shard.cut(pipeline.encodedLengths(), parts.toList());
        PieceCursor inner = new PieceCursor(); // The field's cursor is still in use.
        for (int piece = 0; piece < pieces.pieces(); piece++) {
            int number = pieces.chunk(piece);
            shard.inner().goTo(inner, pieces, piece);
            if (index.isPresent(number)) {
                MemorySegment chunk = bytes.asSlice(index.offset(number), index.size(number));
                place(placement, shard.inner(), chunk, inner);
            } else if (!placement.fillsMissing()) {
                throw new MissingInnerChunkException("inner chunk " + number);
            } else {
                fillInner(placement, shard, inner);
            }
        }
    }

    /** Gathers the elements of a chunk in memory for filters that need all of them. */
    private void placeFilteredChunk(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.FilteredChunk filtered,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        ChunkPipeline inside = filtered.stored();
        Region all = Region.whole(inside.encodedShape(), inside.elementBytes());
        try (Workspace.Loan stored = workspace.lend(inside.decodedBytes())) {
            Placement part = placement.into(stored.segment(), filtered.fill());
            var placer = new Placer(workspace, new Metrics(), kept); // does not count as delivered
            placer.place(
                    part,
                    inside.with(pipeline.bytesCodecs()),
                    encoded,
                    WantedRegions.of(List.of(all)));
            long bytes = pipeline.decodedBytes();
            MemorySegment elements =
                    FilterChain.decode(filtered.filters(), stored.segment(), bytes, workspace);
            long delivered = scatter(placement, pipeline, elements, parts, 1);
            metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, delivered);
        }
    }

    /**
     * Writes the fill value of a missing inner chunk to a part of it.
     *
     * @param parts the positions wanted, in the inner chunk's encoded dimensions; at least one
     */
    public void fillInner(Placement placement, Serializer.Shard shard, WantedRegions parts) {
        if (shard.missing().isEmpty()) {
            fill(placement, shard.inner(), parts);
        } else {
            fill(placement, shard.inner(), parts, shard.missing().get());
        }
    }

    /**
     * Writes the fill value to a part of a chunk that was never written.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    public void fill(Placement placement, ChunkPipeline pipeline, WantedRegions parts) {
        fill(placement, pipeline, parts, placement.fillElement());
    }

    private void fill(
            Placement placement,
            ChunkPipeline pipeline,
            WantedRegions parts,
            MemorySegment element) {
        if (placement.sink() != null) {
            placement.sink().fill(pipeline, parts.toList(), element);
            return;
        }
        for (int i = 0; i < parts.size(); i++) {
            box.set(parts.get(i), pipeline.encodedLengths(), pipeline.elementBytes());
            Fill.fill(box, placement.target(), element);
            metrics.delivered(box.bytes());
        }
    }
}
