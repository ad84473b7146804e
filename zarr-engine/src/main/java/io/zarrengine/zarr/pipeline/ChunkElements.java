package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Decodes chunks to elements in C order of their encoded dimensions. The elements are valid until
 * the workspace is used again.
 */
public final class ChunkElements {
    private ChunkElements() {}

    /**
     * {@return all elements of a chunk, in the chunk itself or in the workspace}
     *
     * @param pipeline of the chunk, which is not a shard and has elements of a fixed size
     * @param encoded the chunk
     * @param workspace of the calling thread
     * @throws CodecException if the chunk is corrupt
     */
    public static MemorySegment decode(
            ChunkPipeline pipeline, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return decode(pipeline, pipeline.bytesCodecs(), encoded, workspace);
    }

    /**
     * {@return all elements of a chunk, some of whose codecs are already undone}
     *
     * @param codecs the remaining codecs
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
     * Throws an exception if the decoded size differs from the size of the chunk's elements.
     *
     * @param codecs that decoded the chunk
     * @param decoded the decoded bytes
     * @param bytes the size of the elements
     */
    public static void checkSize(List<BytesCodec> codecs, MemorySegment decoded, long bytes)
            throws CodecException {
        String codec = codecs.isEmpty() ? "bytes" : codecs.getFirst().name();
        ChunkDecoder.checkedSize(codec, decoded.byteSize(), bytes);
    }
}
