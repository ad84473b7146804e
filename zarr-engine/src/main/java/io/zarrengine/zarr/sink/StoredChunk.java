package io.zarrengine.zarr.sink;

import io.zarrengine.zarr.plan.Region;
import java.util.List;

/**
 * A stretch of one chunk: the whole chunk, or a block of it.
 *
 * @param size of the stretch, in bytes
 * @param wanted the positions wanted, as in {@link StretchChunks#parts}
 * @param name names the chunk in messages
 */
public record StoredChunk(long size, List<Region> wanted, String name) implements StretchChunks {
    @Override
    public int count() {
        return 1;
    }

    @Override
    public long offset(int i) {
        return 0;
    }

    @Override
    public long bytes(int i) {
        return size;
    }

    @Override
    public List<Region> parts(int i) {
        return wanted;
    }

    @Override
    public String label(int i) {
        return name;
    }
}
