package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.selection.ResolvedSelection;
import io.zarrengine.zarr.selection.SelectedElements;
import io.zarrengine.zarr.selection.SelectionBatch;
import io.zarrengine.zarr.selection.SingleSelection;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Resolves selections of one array while the array is open. Threads: any. */
final class ArraySelector {
    private final Path path;
    private final ArrayMetadata metadata;
    private final long[] innerChunkShape;
    private final long planBytesMax;
    private volatile boolean isClosed;

    /** {@code planBytesMax} limits the bytes that the plan of several selections takes. */
    ArraySelector(Path path, ArrayMetadata metadata, long[] innerChunkShape, long planBytesMax) {
        this.path = path;
        this.metadata = metadata;
        this.innerChunkShape = innerChunkShape;
        this.planBytesMax = planBytesMax;
    }

    Path path() {
        return path;
    }

    DataType dataType() {
        return metadata.dataType();
    }

    /** Throws as {@link Selection#resolve} does. */
    ResolvedSelection resolve(Selection selection) {
        return selection.resolve(metadata.shape(), metadata.chunkGrid());
    }

    /** Resolves one selection to its elements, also if the array is closed. */
    SelectedElements resolveFixed(Selection selection) {
        refuseVariableLength();
        return new SingleSelection(resolve(selection), metadata);
    }

    /** Resolves several selections to their elements, also if the array is closed. */
    SelectedElements resolveFixed(List<Selection> selections) {
        refuseVariableLength();
        List<Selection> kept = List.copyOf(selections);
        return new SelectionBatch(
                metadata, innerChunkShape, kept.size(), i -> resolve(kept.get(i)), planBytesMax);
    }

    /** Returns the coordinates of the inner chunks that a selection touches. */
    List<long[]> chunksOf(Selection selection) {
        boolean isSharded =
                !Arrays.equals(innerChunkShape, metadata.chunkGrid().largestChunkShape());
        ChunkGrid grid = isSharded ? ChunkGrid.regular(innerChunkShape) : metadata.chunkGrid();
        ChunkPlan plan = resolve(selection).plan(dataType().byteSize(), grid);
        return LongStream.range(0, plan.chunks()).mapToObj(plan::coordinates).toList();
    }

    SelectedElements select(Selection selection) {
        refuseIfClosed();
        return resolveFixed(selection);
    }

    SelectedElements select(List<Selection> selections) {
        refuseIfClosed();
        return resolveFixed(selections);
    }

    void refuseIfClosed() {
        if (isClosed) {
            throw ClosedException.ofArray(path.toString());
        }
    }

    void refuseVariableLength() {
        if (dataType() instanceof VariableLengthType type) {
            throw new IllegalArgumentException(
                    "elements of the type "
                            + type.typeName()
                            + " have no fixed size: use readVariableLength");
        }
    }

    void close() {
        isClosed = true;
    }

    @Override
    public String toString() {
        return path + ": " + dataType().typeName() + Arrays.toString(metadata.shape());
    }
}
