package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;

/**
 * Listed positions of one dimension, sorted by chunk. Within a chunk, they are joined to runs of
 * equidistant positions whose elements are adjacent in the target.
 */
final class ListedRuns implements DimensionRuns {
    private final long[] positions;
    private int cuts; // number of touched chunks
    private final long[] chunk; // (cuts)
    private final int[] firstRun; // (cuts + 1)
    private int runs;
    private final long[] startInChunk; // (runs), in elements
    private final long[] step; // (runs), in elements
    private final long[] count; // (runs)
    private final long[] target; // (runs), in elements

    /** Sorts the positions and joins them to runs; there must be at least one position. */
    ListedRuns(long[] positions, ChunkEdges edges) {
        this.positions = positions;
        int listed = positions.length;
        chunk = new long[listed];
        firstRun = new int[listed + 1];
        startInChunk = new long[listed];
        step = new long[listed];
        count = new long[listed];
        target = new long[listed];
        for (int i : sortedByChunk(edges)) {
            add(i, edges);
        }
        firstRun[cuts] = runs;
    }

    /** Returns the numbers of the positions, sorted by chunk; the order within a chunk is kept. */
    private int[] sortedByChunk(ChunkEdges edges) {
        long[] chunks = Arrays.stream(positions).map(edges::chunkOf).toArray();
        boolean sorted = true;
        for (int i = 1; i < chunks.length && sorted; i++) {
            sorted = chunks[i - 1] <= chunks[i];
        }
        int[] order = new int[positions.length];
        Arrays.setAll(order, i -> i);
        if (sorted) {
            return order;
        }
        long[] distinct = Arrays.stream(chunks).sorted().distinct().toArray();
        long[] keys = new long[order.length];
        Arrays.setAll(
                keys, i -> (long) Arrays.binarySearch(distinct, chunks[i]) * order.length + i);
        Arrays.parallelSort(keys);
        Arrays.setAll(order, i -> (int) (keys[i] % order.length));
        return order;
    }

    private void add(int i, ChunkEdges edges) {
        long touched = edges.chunkOf(positions[i]);
        long inChunk = positions[i] - edges.origin(touched);
        if (cuts == 0 || chunk[cuts - 1] != touched) {
            chunk[cuts] = touched;
            firstRun[cuts++] = runs;
        } else if (continuesRun(i, inChunk)) {
            count[runs - 1]++;
            return;
        }
        startInChunk[runs] = inChunk;
        step[runs] = 1;
        target[runs] = i;
        count[runs++] = 1;
    }

    private boolean continuesRun(int i, long inChunk) {
        int last = runs - 1;
        if (target[last] + count[last] != i) {
            return false;
        }
        long distance = inChunk - (startInChunk[last] + (count[last] - 1) * step[last]);
        if (count[last] == 1 && distance > 0) {
            step[last] = distance;
        }
        return distance == step[last];
    }

    @Override
    public long cuts() {
        return cuts;
    }

    @Override
    public long chunk(long cut) {
        return chunk[(int) cut];
    }

    @Override
    public long firstRun(long cut) {
        return firstRun[(int) cut];
    }

    @Override
    public long startInChunk(long run) {
        return startInChunk[(int) run];
    }

    @Override
    public long step(long run) {
        return step[(int) run];
    }

    @Override
    public long count(long run) {
        return count[(int) run];
    }

    @Override
    public long target(long run) {
        return target[(int) run];
    }
}
