package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.place.RowRuns;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.WantedRegions;
import java.lang.foreign.MemorySegment;

/**
 * Copies the rows of a large chunk to the target block by block, while it is decoded. Owner: one
 * worker.
 */
final class StreamedPlacer implements BlockSink {
    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();
    private final RowRuns runs = new RowRuns();
    private MemorySegment target;

    StreamedPlacer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /**
     * Places a part of a chunk; returns false if another placer must do it.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    boolean place(
            Placement placement, ChunkPipeline pipeline, MemorySegment encoded, WantedRegions parts)
            throws CodecException {
        if (!takes(pipeline, parts)) {
            return false;
        }
        target = placement.target();
        runs.begin(box, target);
        long bytes =
                ChunkDecoder.stream(
                        pipeline.bytesCodecs(), encoded, pipeline.decodedBytes(), this, workspace);
        metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, box.bytes());
        return true;
    }

    private boolean takes(ChunkPipeline pipeline, WantedRegions parts) {
        if (parts.size() > 1
                || !ChunkDecoder.streams(pipeline.bytesCodecs(), pipeline.decodedBytes())
                || pipeline.swapBytes() > 1) {
            return false;
        }
        box.set(parts.get(0), pipeline.encodedLengths(), pipeline.elementBytes());
        return box.hasRowsInSourceOrder();
    }

    @Override
    public long to() {
        return box.sourceTo();
    }

    @Override
    public void put(MemorySegment block, long at) {
        if (at == 0 && block.byteSize() >= to()) {
            Scatter.copyFastest(box, block, target, 1);
        } else if (at < to()) { // The rest is decoded for its checksum.
            runs.copy(block, at);
        }
    }
}
