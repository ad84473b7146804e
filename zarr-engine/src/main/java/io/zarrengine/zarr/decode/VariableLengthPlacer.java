package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.pipeline.VariableLengthElements;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.place.VariableLengthContent;
import io.zarrengine.zarr.plan.WantedRegions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Decodes chunks of elements of variable length, and copies the wanted elements. */
final class VariableLengthPlacer {
    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();
    private final List<VariableLengthContent.Room> rooms = new ArrayList<>(); // of one chunk

    VariableLengthPlacer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /** Begins a chunk. */
    void begin() {
        rooms.clear();
    }

    /** Gives back the room of the elements of a chunk that will be decoded again. */
    void giveBack(Placement placement) {
        for (VariableLengthContent.Room room : rooms.reversed()) {
            placement.variableLengthContent().giveBack(room);
        }
    }

    void place(
            Placement placement,
            ChunkPipeline pipeline,
            Serializer.VariableLength variable,
            MemorySegment encoded,
            WantedRegions parts)
            throws CodecException {
        int descriptorBytes = pipeline.elementBytes();
        long count = pipeline.decodedBytes() / descriptorBytes;
        long bytesMax = pipeline.serializedBytesMax();
        MemorySegment decoded =
                pipeline.bytesCodecs().isEmpty()
                        ? encoded
                        : ChunkDecoder.decodeUnknownSize(
                                pipeline.bytesCodecs(),
                                encoded,
                                bytesMax,
                                VariableLengthElements.heapBytes(
                                        variable.layout(), bytesMax, count),
                                workspace);
        long heapBytes =
                VariableLengthElements.heapBytes(variable.layout(), decoded.byteSize(), count);
        long delivered = 0;
        try (Workspace.Loan _ = workspace.countHeap(heapBytes)) {
            VariableLengthElements elements =
                    VariableLengthElements.of(variable.layout(), decoded, count);
            for (int i = 0; i < parts.size(); i++) {
                box.set(parts.get(i), pipeline.encodedLengths(), descriptorBytes);
                delivered +=
                        VariableLengthCopy.run(
                                box,
                                elements,
                                placement.variableLengthContent(),
                                placement.target(),
                                rooms);
            }
        }
        metrics.chunkDecoded(
                placement.recorded(), encoded.byteSize(), decoded.byteSize(), delivered);
    }
}
