package io.zarrengine.zarr.task;

import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.OpenedObjects;
import io.zarrengine.zarr.store.ZippedObjects;

/** Chooses the {@link ChunkStarter} of an array. */
public final class ChunkStarterChoice {
    private ChunkStarterChoice() {}

    /** {@return the starter of an array whose chunks are in objects; null if they are in files} */
    public static ChunkStarter of(ChunkFiles files) {
        return switch (files.objects()) {
            case null -> null;
            case OpenedObjects objects -> new ObjectChunkStarter(objects);
            case ZippedObjects zip -> new ZippedChunkStarter(zip);
        };
    }
}
