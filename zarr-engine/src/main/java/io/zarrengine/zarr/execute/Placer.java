package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.ChunkPipeline.Serializer;
import io.zarrengine.zarr.codec.CodecException;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.place.Fill;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.InnerCuts;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Decodes chunks and puts their elements where they belong. Owner: one worker.
 *
 * <p>The first of these that applies: the codec decodes straight to the target, if the whole chunk
 * is wanted and lies there in one run; else it decodes to the workspace, and the wanted elements
 * are copied; without a compressor they are copied from where they were read to.
 */
final class Placer {
    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();

    Placer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /**
     * Places a part of an encoded chunk.
     *
     * @param part the positions wanted, in the chunk's encoded dimensions
     * @throws CodecException if the chunk is corrupt
     */
    void place(ReadRequest request, ChunkPipeline pipeline, MemorySegment encoded, Region part)
            throws CodecException {
        switch (pipeline.serializer()) {
            case Serializer.Elements elements ->
                    placeElements(request, pipeline, elements, encoded, part);
            case Serializer.Shard shard -> placeShard(request, pipeline, shard, encoded, part);
        }
    }

    private void placeElements(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            MemorySegment encoded,
            Region part)
            throws CodecException {
        box.set(part, pipeline.encodedShape(), pipeline.elementBytes());
        long bytes = pipeline.decodedBytes();
        MemorySegment target = request.target();
        boolean direct =
                pipeline.decodesToTarget()
                        && elements.swapBytes() == 1
                        && box.isContiguous()
                        && box.bytes() == bytes
                        && target.isNative();
        MemorySegment decodedTo =
                direct
                        ? target.asSlice(box.targetOffset(), bytes)
                        : pipeline.bytesCodecs().isEmpty() ? encoded : workspace.result(bytes);
        if (!direct && isPart(pipeline, bytes)) {
            placePart(request, pipeline, elements, encoded, decodedTo);
            return;
        }
        MemorySegment decoded =
                ChunkDecoder.decode(pipeline.bytesCodecs(), encoded, decodedTo, workspace);
        if (decoded.byteSize() != bytes) {
            String codec = codecName(pipeline.bytesCodecs().isEmpty(), pipeline);
            throw new CodecException(
                    codec, "decodes to " + decoded.byteSize() + " bytes, expected " + bytes);
        }
        if (!direct) {
            Scatter.copy(box, decoded, target, elements.swapBytes());
        }
        metrics.chunkDecoded(encoded.byteSize(), bytes, box.bytes());
    }

    private boolean isPart(ChunkPipeline pipeline, long chunkBytes) {
        return box.sourceTo() - box.sourceFrom() < chunkBytes
                && ChunkDecoder.decodesRanges(pipeline.bytesCodecs());
    }

    /** Decodes from the first element wanted to the last one, if the codec can do that. */
    private void placePart(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            MemorySegment encoded,
            MemorySegment decoded)
            throws CodecException {
        long bytes =
                ChunkDecoder.decodeRange(
                        pipeline.bytesCodecs(),
                        encoded,
                        decoded,
                        box.sourceFrom(),
                        box.sourceTo(),
                        workspace);
        Scatter.copy(box, decoded, request.target(), elements.swapBytes());
        metrics.chunkDecoded(encoded.byteSize(), bytes, box.bytes());
    }

    private static String codecName(boolean raw, ChunkPipeline pipeline) {
        return raw ? "bytes" : pipeline.bytesCodecs().getFirst().name();
    }

    /** A shard that is compressed as a whole: decoded whole, then taken apart in memory. */
    private void placeShard(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment encoded,
            Region part)
            throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            boolean raw = pipeline.bytesCodecs().isEmpty();
            MemorySegment target =
                    raw ? encoded : arena.allocate(pipeline.serializedBytesMax(), Long.BYTES);
            MemorySegment decoded =
                    ChunkDecoder.decode(pipeline.bytesCodecs(), encoded, target, workspace);
            if (!raw && !pipeline.decodesToTarget()) { // It lies where inner chunks decode to.
                decoded = target.asSlice(0, decoded.byteSize()).copyFrom(decoded);
            }
            placeInnerChunks(request, pipeline, shard, decoded, part);
        }
    }

    private void placeInnerChunks(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment bytes,
            Region part)
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
        ShardIndex index =
                ShardIndex.decode(shard.index(), bytes.asSlice(at, indexBytes), bytes.byteSize());
        List<Long> innerShape = ShardTask.innerShape(pipeline, shard);
        InnerCuts cuts = new InnerCuts(part, innerShape, shard.chunksPerShard());
        for (int piece = 0; piece < cuts.pieces(); piece++) {
            int number = cuts.chunk(piece);
            Region inner = cuts.part(piece).permuted(shard.inner().order());
            if (index.isPresent(number)) {
                MemorySegment chunk = bytes.asSlice(index.offset(number), index.size(number));
                place(request, shard.inner(), chunk, inner);
            } else {
                fill(request, shard.inner(), inner);
            }
        }
    }

    /**
     * Writes the fill value to a part of a chunk that was never written.
     *
     * @param part the positions wanted, in the chunk's encoded dimensions
     */
    void fill(ReadRequest request, ChunkPipeline pipeline, Region part) {
        box.set(part, pipeline.encodedShape(), pipeline.elementBytes());
        Fill.fill(box, request.target(), request.fillElement());
        metrics.filled(box.bytes());
    }
}
