package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Decodes chunks to elements in C order of their encoded dimensions. They are valid until the
 * workspace is used again.
 */
public final class ChunkElements {
    private ChunkElements() {}

    /**
     * {@return all elements of a chunk, in the chunk itself or in the workspace}
     *
     * @param pipeline of the chunk; its elements have a fixed size, and it is no shard
     * @param encoded the chunk
     * @param workspace the calling thread's
     * @throws CodecException if the chunk is corrupt
     */
    public static MemorySegment decode(
            ChunkPipeline pipeline, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return decode(pipeline, pipeline.bytesCodecs(), encoded, workspace);
    }

    /**
     * {@return the same, of a chunk of which some codecs are undone}
     *
     * @param codecs the ones that are left to undo
     */
    public static MemorySegment decode(
            ChunkPipeline pipeline,
            List<BytesCodec> codecs,
            MemorySegment encoded,
            Workspace workspace)
            throws CodecException {
        long bytes = pipeline.decodedBytes();
        return switch (pipeline.serializer()) {
            case Serializer.Elements _ -> {
                MemorySegment decoded = undo(codecs, encoded, bytes, workspace);
                checkSize(codecs, decoded, bytes);
                yield decoded;
            }
            case Serializer.Filtered filtered -> {
                MemorySegment stored = undo(codecs, encoded, filtered.storedBytes(), workspace);
                yield FilterChain.decode(filtered.filters(), stored, bytes, workspace);
            }
            case Serializer.VariableLength _, Serializer.Shard _, Serializer.FilteredChunk _ ->
                    throw new IllegalStateException("no chunk of elements of a fixed size");
        };
    }

    private static MemorySegment undo(
            List<BytesCodec> codecs, MemorySegment encoded, long bytes, Workspace workspace)
            throws CodecException {
        MemorySegment target = codecs.isEmpty() ? encoded : workspace.result(bytes);
        return ChunkDecoder.decode(codecs, encoded, target, workspace);
    }

    /**
     * Refuses a chunk that was decoded to another size than its elements have.
     *
     * @param codecs which decoded it
     * @param decoded what they made of it
     * @param bytes the size of its elements
     */
    public static void checkSize(List<BytesCodec> codecs, MemorySegment decoded, long bytes)
            throws CodecException {
        String codec = codecs.isEmpty() ? "bytes" : codecs.getFirst().name();
        ChunkDecoder.checkedSize(codec, decoded.byteSize(), bytes);
    }
}
