package io.zarrengine.zarr.device;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.ChunkPipeline.Serializer;
import io.zarrengine.zarr.codec.FilterChain;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The elements of a chunk that the host has decoded, in C order of its encoded dimensions.
 *
 * @param bytes valid until the workspace is used again
 * @param swapBytes size of the units whose bytes are in the other order; 1 if none are
 */
record HostElements(MemorySegment bytes, int swapBytes) {
    static HostElements decode(ChunkPipeline pipeline, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return decode(pipeline, pipeline.bytesCodecs(), encoded, workspace);
    }

    /** {@code codecs}: the ones that are left to undo. */
    static HostElements decode(
            ChunkPipeline pipeline,
            List<BytesCodec> codecs,
            MemorySegment encoded,
            Workspace workspace)
            throws CodecException {
        long bytes = pipeline.decodedBytes();
        return switch (pipeline.serializer()) {
            case Serializer.Elements elements -> {
                MemorySegment decoded = undo(codecs, encoded, bytes, workspace);
                if (decoded.byteSize() != bytes) {
                    String codec = codecs.isEmpty() ? "bytes" : codecs.getFirst().name();
                    throw new CodecException(
                            codec,
                            "decodes to " + decoded.byteSize() + " bytes, expected " + bytes);
                }
                yield new HostElements(decoded, elements.swapBytes());
            }
            case Serializer.Filtered filtered -> {
                MemorySegment stored = undo(codecs, encoded, filtered.storedBytes(), workspace);
                yield new HostElements(
                        FilterChain.decode(filtered.filters(), stored, bytes, workspace), 1);
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
