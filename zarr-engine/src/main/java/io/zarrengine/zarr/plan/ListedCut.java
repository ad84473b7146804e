package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;

/**
 * Cuts along chunks of individual lengths. Keeps a small table with one row for each touched chunk.
 */
final class ListedCut implements DimensionCut {
    private final long start;
    private final long step;
    private final ChunkEdges edges;
    private int cuts;
    private long[] chunk = new long[8];
    // number of each cut's first position, then the end of the last cut
    private long[] first = new long[8];

    /** {@code count} must be positive. */
    ListedCut(long start, long step, long count, ChunkEdges edges) {
        this.start = start;
        this.step = step;
        this.edges = edges;
        long position = 0; // number of the next position
        while (position < count) {
            long touched = edges.chunkOf(start + position * step);
            add(touched, position);
            long end = edges.origin(touched) + edges.length(touched);
            position = Math.min(count, Math.ceilDiv(end - start, step));
        }
        add(-1, count);
        cuts--;
    }

    private void add(long newChunk, long newFirst) {
        if (cuts == chunk.length) {
            chunk = Arrays.copyOf(chunk, 2 * cuts);
            first = Arrays.copyOf(first, 2 * cuts);
        }
        chunk[cuts] = newChunk;
        first[cuts++] = newFirst;
    }

    @Override
    public long cuts() {
        return cuts;
    }

    @Override
    public long chunk(long i) {
        return chunk[(int) i];
    }

    @Override
    public long first(long i) {
        return first[(int) i];
    }

    @Override
    public long count(long i) {
        return first[(int) i + 1] - first[(int) i];
    }

    @Override
    public long startInChunk(long i) {
        return start + first(i) * step - edges.origin(chunk(i));
    }
}
