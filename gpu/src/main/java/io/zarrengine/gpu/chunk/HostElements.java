package io.zarrengine.gpu.chunk;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.pipeline.FilterChain;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Decodes chunks to elements in C order of their encoded dimensions, as {@link ChunkLayout} says.
 * They are valid until the workspace is used again.
 */
public final class HostElements {
    private HostElements() {}

    public static MemorySegment decode(
            ChunkPipeline pipeline, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return decode(pipeline, pipeline.bytesCodecs(), encoded, workspace);
    }

    /** {@code codecs}: the ones that are left to undo. */
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
                if (decoded.byteSize() != bytes) {
                    String codec = codecs.isEmpty() ? "bytes" : codecs.getFirst().name();
                    throw new CodecException(
                            codec,
                            "decodes to " + decoded.byteSize() + " bytes, expected " + bytes);
                }
                yield decoded;
            }
            case Serializer.Filtered filtered -> {
                MemorySegment stored = undo(codecs, encoded, filtered.storedBytes(), workspace);
                yield FilterChain.decode(filtered.filters(), stored, bytes, workspace);
            }
            case Serializer.VariableLength _, Serializer.Shard _, Serializer.FilteredChunk _ ->
                    throw new IllegalStateException("read by way of the host");
        };
    }

    private static MemorySegment undo(
            List<BytesCodec> codecs, MemorySegment encoded, long bytes, Workspace workspace)
            throws CodecException {
        MemorySegment target = codecs.isEmpty() ? encoded : workspace.result(bytes);
        return ChunkDecoder.decode(codecs, encoded, target, workspace);
    }
}
