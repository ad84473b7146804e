package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.ChunkPipeline.Serializer;
import io.zarrengine.zarr.codec.CodecException;
import io.zarrengine.zarr.codec.FilterChain;
import io.zarrengine.zarr.codec.VariableLengthElements;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.place.Fill;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

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
     * Places parts of an encoded chunk.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @throws CodecException if the chunk is corrupt
     */
    void place(
            ReadRequest request, ChunkPipeline pipeline, MemorySegment encoded, List<Region> parts)
            throws CodecException {
        switch (pipeline.serializer()) {
            case Serializer.Elements elements ->
                    placeElements(request, pipeline, elements, encoded, parts);
            case Serializer.Filtered filtered ->
                    placeFiltered(request, pipeline, filtered, encoded, parts);
            case Serializer.VariableLength variable ->
                    placeVariableLength(request, pipeline, variable, encoded, parts);
            case Serializer.Shard shard -> placeShard(request, pipeline, shard, encoded, parts);
        }
    }

    /**
     * Has parts of an encoded chunk placed, or taken by the request's sink.
     *
     * @param label what the chunk is, for messages that come later
     */
    void deliver(
            ReadRequest request,
            ChunkPipeline pipeline,
            MemorySegment encoded,
            List<Region> parts,
            Supplier<String> label)
            throws CodecException {
        if (request.sink() == null) {
            place(request, pipeline, encoded, parts);
        } else {
            request.sink().take(pipeline, encoded, parts, workspace, label);
        }
    }

    private void placeElements(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Elements elements,
            MemorySegment encoded,
            List<Region> parts)
            throws CodecException {
        box.set(parts.getFirst(), pipeline.encodedShape(), pipeline.elementBytes());
        long bytes = pipeline.decodedBytes();
        MemorySegment target = request.target();
        boolean direct =
                parts.size() == 1
                        && pipeline.decodesToTarget()
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
        long delivered =
                direct ? bytes : scatter(request, pipeline, decoded, parts, elements.swapBytes());
        metrics.chunkDecoded(encoded.byteSize(), bytes, delivered);
    }

    private void placeFiltered(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Filtered filtered,
            MemorySegment encoded,
            List<Region> parts)
            throws CodecException {
        MemorySegment decodedTo =
                pipeline.bytesCodecs().isEmpty()
                        ? encoded
                        : workspace.result(filtered.storedBytes());
        MemorySegment stored =
                ChunkDecoder.decode(pipeline.bytesCodecs(), encoded, decodedTo, workspace);
        long bytes = pipeline.decodedBytes();
        MemorySegment elements = FilterChain.decode(filtered.filters(), stored, bytes, workspace);
        long delivered = scatter(request, pipeline, elements, parts, 1);
        metrics.chunkDecoded(encoded.byteSize(), bytes, delivered);
    }

    /** Returns how many bytes were copied. */
    private long scatter(
            ReadRequest request,
            ChunkPipeline pipeline,
            MemorySegment elements,
            List<Region> parts,
            int swapBytes) {
        long bytes = 0;
        for (Region part : parts) {
            box.set(part, pipeline.encodedShape(), pipeline.elementBytes());
            Scatter.copy(box, elements, request.target(), swapBytes);
            bytes += box.bytes();
        }
        return bytes;
    }

    private void placeVariableLength(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.VariableLength variable,
            MemorySegment encoded,
            List<Region> parts)
            throws CodecException {
        int descriptorBytes = pipeline.elementBytes();
        MemorySegment decoded =
                pipeline.bytesCodecs().isEmpty()
                        ? encoded
                        : ChunkDecoder.decodeUnknownSize(
                                pipeline.bytesCodecs(),
                                encoded,
                                pipeline.serializedBytesMax(),
                                workspace);
        VariableLengthElements elements =
                VariableLengthElements.of(
                        variable.layout(), decoded, pipeline.decodedBytes() / descriptorBytes);
        long delivered = 0;
        for (Region part : parts) {
            box.set(part, pipeline.encodedShape(), descriptorBytes);
            delivered +=
                    VariableLengthPlacer.place(
                            box, elements, request.variableLengthContent(), request.target());
        }
        metrics.chunkDecoded(encoded.byteSize(), decoded.byteSize(), delivered);
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
            List<Region> parts)
            throws CodecException {
        if (pipeline.bytesCodecs().isEmpty()) {
            placeInnerChunks(request, pipeline, shard, encoded, parts);
            return;
        }
        MemorySegment decoded =
                ChunkDecoder.decodeUnknownSize(
                        pipeline.bytesCodecs(), encoded, pipeline.serializedBytesMax(), workspace);
        // It lies where inner chunks decode to.
        try (NativeMemory copy = NativeMemory.allocate(decoded.byteSize())) {
            MemorySegment bytes = copy.segment().copyFrom(decoded);
            placeInnerChunks(request, pipeline, shard, bytes, parts);
        }
    }

    private void placeInnerChunks(
            ReadRequest request,
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment bytes,
            List<Region> parts)
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
        InnerPieces pieces = new InnerPieces(parts, innerShape, shard.chunksPerShard());
        for (int piece = 0; piece < pieces.pieces(); piece++) {
            int number = pieces.chunk(piece);
            List<Region> inner = Region.permuted(pieces.parts(piece), shard.inner().order());
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
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    void fill(ReadRequest request, ChunkPipeline pipeline, List<Region> parts) {
        if (request.sink() != null) {
            request.sink().fill(pipeline, parts);
            return;
        }
        for (Region part : parts) {
            box.set(part, pipeline.encodedShape(), pipeline.elementBytes());
            Fill.fill(box, request.target(), request.fillElement());
            metrics.filled(box.bytes());
        }
    }
}
