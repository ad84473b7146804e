package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.codec.BoxCall;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.place.BoxCalls;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.WantedRegions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Lets one call decode a chunk and place its rows. Owner: one worker. */
final class BoxPlacer {
    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();

    BoxPlacer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /**
     * Places parts of a chunk; returns false if another placer must do it.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    boolean place(
            Placement placement, ChunkPipeline pipeline, MemorySegment encoded, WantedRegions parts)
            throws CodecException {
        List<BytesCodec> codecs = pipeline.bytesCodecs();
        if (codecs.size() != 1
                || !(codecs.getFirst() instanceof BytesCodec.BoxDecoder codec)
                || pipeline.swapBytes() > 1) {
            return false;
        }
        BoxCall call = codec.boxCall(workspace);
        long decodedBytes = pipeline.decodedBytes();
        int elementBytes = pipeline.elementBytes();
        if (call == null || !call.begin(encoded, decodedBytes, elementBytes, parts.size())) {
            return false;
        }
        MemorySegment target = placement.target();
        long wanted = 0;
        for (int i = 0; i < parts.size(); i++) {
            box.set(parts.get(i), pipeline.encodedLengths(), elementBytes);
            wanted += box.bytes();
            if (isWhole(decodedBytes, parts.size()) || !call.add(box, target)) {
                return false;
            }
        }
        if (!BoxCalls.mayWrite(target, wanted)) {
            return false;
        }
        long bytes = call.place(encoded, workspace.result(decodedBytes), target);
        if (bytes >= 0) {
            metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, wanted);
        }
        return bytes >= 0;
    }

    /** Returns whether the only box is a whole chunk, which another placer decodes to its place. */
    private boolean isWhole(long decodedBytes, int parts) {
        return parts == 1 && box.bytes() == decodedBytes && box.isContiguous();
    }
}
