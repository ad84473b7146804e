package io.zarrengine.zarr.write;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes chunks, the inverse of the workers' decoding. Owner: one thread.
 *
 * <p>Chunks and inner chunks with only the fill value are not written.
 */
final class ChunkEncoder implements AutoCloseable {
    private final MemorySegment fillElement;
    private final Workspace workspace = new Workspace();
    private final StridedBox box = new StridedBox();

    /** Creates an encoder; {@code fillElement} is one element in native byte order. */
    ChunkEncoder(MemorySegment fillElement) {
        this.fillElement = fillElement;
    }

    /**
     * Appends an encoded chunk.
     *
     * @param elements the chunk's elements, in C order of its logical dimensions
     * @return false if all elements are the fill value and nothing was appended
     */
    boolean encode(ChunkPipeline pipeline, MemorySegment elements, GrowingMemory encoded)
            throws CodecException {
        if (isFill(elements)) {
            return false;
        }
        if (pipeline.bytesCodecs().isEmpty()) {
            serialize(pipeline, elements, encoded);
            return true;
        }
        try (GrowingMemory serialized = new GrowingMemory()) {
            serialize(pipeline, elements, serialized);
            compress(pipeline.bytesCodecs(), serialized.content(), encoded);
        }
        return true;
    }

    /**
     * Returns whether all elements are the fill value: the first one is, and each other one equals
     * the one before it.
     */
    private boolean isFill(MemorySegment elements) {
        long one = fillElement.byteSize();
        long all = elements.byteSize();
        return MemorySegment.mismatch(elements, 0, one, fillElement, 0, one) < 0
                && MemorySegment.mismatch(elements, 0, all - one, elements, one, all) < 0;
    }

    private void serialize(ChunkPipeline pipeline, MemorySegment elements, GrowingMemory out)
            throws CodecException {
        long bytes = pipeline.decodedBytes();
        switch (pipeline.serializer()) {
            case Serializer.Elements codec -> {
                toEncodedOrder(pipeline, elements, out.reserve(bytes), codec.swapBytes());
                out.add(bytes);
            }
            case Serializer.Filtered filtered when filtered.keepsValues() -> {
                toEncodedOrder(pipeline, elements, out.reserve(bytes), 1);
                out.add(bytes);
            }
            case Serializer.Filtered _, Serializer.VariableLength _, Serializer.FilteredChunk _ ->
                    throw new AssertionError("refused when the array was created");
            case Serializer.Shard shard -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment ordered = arena.allocate(bytes, Long.BYTES);
                    toEncodedOrder(pipeline, elements, ordered, 1);
                    serializeShard(pipeline, shard, ordered, out);
                }
            }
        }
    }

    private void toEncodedOrder(
            ChunkPipeline pipeline, MemorySegment elements, MemorySegment to, int swapBytes) {
        Region region = ChunkRegions.inEncodedOrder(pipeline);
        box.set(region, ChunkRegions.logicalLengths(pipeline), pipeline.elementBytes());
        Scatter.copy(box, elements, to, swapBytes);
    }

    /** Encodes a shard; {@code elements} are in C order of the shard's encoded dimensions. */
    private void serializeShard(
            ChunkPipeline pipeline,
            Serializer.Shard shard,
            MemorySegment elements,
            GrowingMemory out)
            throws CodecException {
        long begin = out.size();
        int chunks = Math.toIntExact(shard.chunks());
        long[] index = new long[2 * chunks];
        Arrays.fill(index, -1); // 2^64 - 1 means not written
        if (shard.index().atStart()) {
            out.reserve(shard.indexBytes());
            out.add(shard.indexBytes());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment inner = arena.allocate(shard.inner().decodedBytes(), Long.BYTES);
            for (int chunk = 0; chunk < chunks; chunk++) {
                Region region = ChunkRegions.innerChunk(pipeline, shard, chunk);
                box.set(region, pipeline.encodedLengths(), pipeline.elementBytes());
                Scatter.copy(box, elements, inner, 1);
                long at = out.size() - begin;
                if (encode(shard.inner(), inner, out)) {
                    index[2 * chunk] = at;
                    index[2 * chunk + 1] = out.size() - begin - at;
                }
            }
        }
        writeIndex(shard, index, begin, out);
    }

    private void writeIndex(Serializer.Shard shard, long[] index, long begin, GrowingMemory out)
            throws CodecException {
        ShardIndexCodec codec = shard.index();
        MemorySegment to;
        if (codec.atStart()) {
            to = out.content().asSlice(begin, shard.indexBytes());
        } else {
            to = out.reserve(shard.indexBytes());
            out.add(shard.indexBytes());
        }
        codec.encode(MemorySegment.ofArray(index), to, workspace);
    }

    private void compress(List<BytesCodec> codecs, MemorySegment bytes, GrowingMemory encoded)
            throws CodecException {
        MemorySegment from = bytes;
        try (Arena arena = Arena.ofConfined()) {
            for (BytesCodec codec : codecs.subList(0, codecs.size() - 1)) {
                MemorySegment to = arena.allocate(codec.encodedBytesMax(from.byteSize()));
                from = to.asSlice(0, codec.encode(from, to, workspace));
            }
            BytesCodec last = codecs.getLast();
            MemorySegment to = encoded.reserve(last.encodedBytesMax(from.byteSize()));
            encoded.add(last.encode(from, to, workspace));
        }
    }

    @Override
    public void close() {
        workspace.close();
    }
}
