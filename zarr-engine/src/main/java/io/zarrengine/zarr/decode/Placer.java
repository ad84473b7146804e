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
 * Decodes chunks and puts their elements where they belong. Owner: one worker.
 *
 * <p>The first of these that applies: the codec decodes straight to the target, if the whole chunk
 * is wanted and lies there in one run; the bytes of shuffled elements are put together there, row
 * by row; rows are copied there from each block of a large chunk as it is decoded; else the codec
 * decodes to the workspace, and the wanted elements are copied; without a compressor they are
 * copied from where they were read to.
 */
public final class Placer {
    private final Workspace workspace;
    private final Metrics metrics;
    private final DecodedChunks kept;
    private final StridedBox box = new StridedBox();
    private final PieceCursor cursor = new PieceCursor();
    private final RawPlacer raw;
    private final ShuffledPlacer shuffled;
    private final StreamedPlacer streamed;
    private final VariableLengthPlacer variableLength;

    public Placer(Workspace workspace, Metrics metrics, DecodedChunks kept) {
        this.workspace = workspace;
        this.metrics = metrics;
        this.kept = kept;
        this.raw = new RawPlacer(metrics);
        this.shuffled = new ShuffledPlacer(workspace, metrics);
        this.streamed = new StreamedPlacer(workspace, metrics);
        this.variableLength = new VariableLengthPlacer(workspace, metrics);
    }

    /** {@return the one for elements that are stored as they are} */
    public RawPlacer raw() {
        return raw;
    }

    /**
     * {@return what is wanted of an inner chunk, in its encoded dimensions; until the next one is
     * asked for}
     *
     * @param pieces of its shard
     * @param piece which
     */
    public WantedRegions inner(ChunkPipeline inner, InnerPieces pieces, int piece) {
        inner.goTo(cursor, pieces, piece);
        return cursor;
    }

    /** The same of a slab, whose dimensions are the chunk's. */
    public WantedRegions slab(InnerPieces slabs, int slab) {
        cursor.set(slabs, slab, null);
        return cursor;
    }

    /** {@return the worker's, in which it decodes} */
    public Workspace workspace() {
        return workspace;
    }

    /** {@return whether the {@link #raw} one takes chunks; none of them is kept} */
    public boolean takesRaw(Placement placement, ChunkPipeline pipeline) {
        return RawPlacer.takes(placement, pipeline) && !keeps(placement, pipeline);
    }

    /** {@return whether chunks are kept when they are decoded} */
    public boolean keeps(Placement placement, ChunkPipeline pipeline) {
        return kept.keeps(pipeline.decodedBytes())
                && placement.sink() == null
                && pipeline.serializer() instanceof Serializer.Elements;
    }

    /**
     * Places parts of a chunk that was kept; false if it was not.
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

    /** Places parts of an encoded chunk, and keeps all of it. */
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
     * Has parts of an encoded chunk placed, or taken by the request's sink; the chunk may be kept.
     *
     * @param names what it is kept under, and called in messages that come later
     * @param i its number there
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

    /** Counts chunks that a sink has taken; a block of one that is counted already is none. */
    public void countTaken(int chunks, long encodedBytes) {
        metrics.chunksTaken(chunks, encodedBytes);
    }

    /** What is short of memory begins again: the room of its elements is given back. */
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
     * Where the codec can write the chunk itself: all of it is wanted, and lies there in one run.
     * Not to a mapped file: if that is cut meanwhile, native code ends the process.
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

    /** Decodes from the first element wanted to the last one, as the codec can do that. */
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
     * Returns how many bytes were copied. Elements that are stored as they are may lie in a mapped
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
            Scatter.copyOwned(box, elements, placement.target(), swapBytes);
            bytes += box.bytes();
        }
        return bytes;
    }

    /** A shard that is compressed as a whole: decoded whole, then taken apart in memory. */
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
        try (Workspace.Loan _ = workspace.setAside()) { // It lies where inner chunks decode to.
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
        PieceCursor inner = new PieceCursor(); // This runs while the other one is in use.
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

    /** A chunk behind filters that need all of its elements: these are gathered in memory. */
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
            var placer = new Placer(workspace, new Metrics(), kept); // Nothing is delivered.
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
     * Writes what stands for a missing inner chunk to a part of it.
     *
     * @param parts the positions wanted, in its encoded dimensions; at least one
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
