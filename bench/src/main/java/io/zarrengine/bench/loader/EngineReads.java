package io.zarrengine.bench.loader;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.loader.Sampler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the loader's batches with the engine alone, with as many reads in flight and as many
 * targets.
 */
final class EngineReads implements LoaderRow.Running {
    private record Read(MemorySegment target, CompletableFuture<Void> end) {}

    private final ZarrArray array;
    private final Sampler crops;
    private final Arena arena = Arena.ofShared();
    private final Deque<Read> inFlight = new ArrayDeque<>();
    private MemorySegment current;
    private long next;

    EngineReads(ZarrArray array, Sampler crops) {
        this.array = array;
        this.crops = crops;
        long bytes = array.bytesOf(batch(0));
        for (int i = 0; i < LoaderRow.PREFETCH; i++) {
            read(arena.allocate(bytes, 64));
        }
        current = arena.allocate(bytes, 64);
    }

    private List<Selection> batch(long first) {
        List<Selection> batch = new ArrayList<>();
        for (int i = 0; i < LoaderRow.BATCH; i++) {
            batch.add(crops.get(first + i));
        }
        return batch;
    }

    private void read(MemorySegment target) {
        inFlight.add(new Read(target, array.readAsync(batch(next), target)));
        next += LoaderRow.BATCH;
    }

    @Override
    public void take() {
        read(current);
        Read first = inFlight.remove();
        first.end().join();
        current = first.target();
    }

    @Override
    public void close() {
        inFlight.forEach(read -> read.end().join());
        arena.close();
    }
}
