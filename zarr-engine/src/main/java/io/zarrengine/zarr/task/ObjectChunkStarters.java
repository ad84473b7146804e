package io.zarrengine.zarr.task;

import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.ObjectFiles;
import io.zarrengine.zarr.store.ZippedObjects;

/** Chooses what starts reading the chunks of an array. */
public final class ObjectChunkStarters {
    private ObjectChunkStarters() {}

    /** {@return what starts the chunks of an array; null if they are in files} */
    public static ObjectChunkStarter of(ChunkFiles files) {
        return switch (files.objects()) {
            case null -> null;
            case ObjectFiles objects -> new ObjectChunks(objects);
            case ZippedObjects zip -> new ZippedChunks(zip);
        };
    }
}
