package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.List;
import java.util.stream.Collectors;

/** A selection of positions along each dimension. It takes every combination of them. */
final class OrthogonalSelection extends Selection {
    static final OrthogonalSelection ALL =
            new OrthogonalSelection(List.of(DimensionSelection.rest()));

    private final List<DimensionSelection> parts;
    private final int named; // number of parts that select one dimension each

    OrthogonalSelection(List<DimensionSelection> parts) {
        this.parts = List.copyOf(parts);
        this.named =
                (int) parts.stream().filter(p -> !(p instanceof DimensionSelection.Rest)).count();
        if (parts.size() - named > 1) {
            throw new IllegalArgumentException("\"" + this + "\" has ... more than once");
        }
    }

    @Override
    ResolvedSelection resolve(long[] shape, ChunkGrid grid) {
        int rank = shape.length;
        ResolvedSelection.Builder resolved = new ResolvedSelection.Builder(rank);
        if (named > rank) {
            throw new IllegalArgumentException(
                    "the selection \"%s\" is for %d dimensions, the array has %d"
                            .formatted(this, named, rank));
        }
        for (DimensionSelection part : parts) {
            long times = part instanceof DimensionSelection.Rest ? rank - named : 1;
            for (long i = 0; i < times; i++) {
                part.resolve(resolved, shape[resolved.size()]);
            }
        }
        while (resolved.size() < rank) {
            resolved.all(shape[resolved.size()]);
        }
        return resolved.build();
    }

    @Override
    public String toString() {
        return parts.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
