package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose objects may be kept on disk. It counts the reads of chunks. */
final class CountedStore implements ObjectStore {
    private final MemoryStore objects;
    private final String cacheName;
    private final AtomicInteger chunkReads = new AtomicInteger();

    CountedStore(MemoryStore objects, String cacheName) {
        this.objects = objects;
        this.cacheName = cacheName;
    }

    CountedStore(MemoryStore objects) {
        this(objects, "test://counted");
    }

    /** {@return the reads since this was last called} */
    int takeChunkReads() {
        return chunkReads.getAndSet(0);
    }

    @Override
    public String name() {
        return "test://counted";
    }

    @Override
    public Optional<String> cacheName() {
        return Optional.of(cacheName);
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        for (ObjectRead read : reads) {
            if (!read.key().endsWith("zarr.json")) {
                chunkReads.incrementAndGet();
            }
        }
        objects.read(reads);
    }

    @Override
    public RequestCost requestCost() {
        return RequestCost.NETWORK;
    }

    @Override
    public void close() {}
}
