package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ChunkEdges;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.ArrayList;
import java.util.List;

/** A selection of whole chunks of the grid. */
final class BlocksSelection extends Selection {
    private final OrthogonalSelection blocks;

    BlocksSelection(List<DimensionSelection> parts) {
        List<DimensionSelection> kept = new ArrayList<>();
        for (DimensionSelection part : parts) {
            if (part instanceof DimensionSelection.Slice slice
                    && slice.step != null
                    && slice.step != 1) {
                throw new IllegalArgumentException("step " + slice.step + " of chunks, expected 1");
            }
            if (part instanceof DimensionSelection.Indexes) {
                throw new IllegalArgumentException(
                        "the list " + part + " of chunks, expected an index or start:stop");
            }
            kept.add(part);
        }
        blocks = new OrthogonalSelection(kept);
    }

    @Override
    ResolvedSelection resolve(long[] shape, ChunkGrid grid) {
        ResolvedSelection chosen = blocks.resolve(grid.gridShape(shape), grid);
        ResolvedSelection.Builder resolved = new ResolvedSelection.Builder(shape.length);
        for (int d = 0; d < shape.length; d++) {
            long count = chosen.count(d);
            if (count == 0) {
                resolved.box(0, 0, 1, shape[d]);
                continue;
            }
            ChunkEdges edges = grid.dimensions().get(d);
            long last = chosen.start(d) + count - 1;
            long from = edges.origin(chosen.start(d));
            long length = Math.min(edges.length(last), shape[d] - edges.origin(last));
            resolved.box(from, edges.origin(last) + length - from, 1, shape[d]);
        }
        return resolved.build();
    }

    @Override
    public String toString() {
        return "chunks " + blocks;
    }
}
