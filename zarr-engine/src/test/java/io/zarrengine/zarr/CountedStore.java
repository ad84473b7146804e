package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store whose objects may be kept on disk. It counts the reads of chunks. */
final class CountedStore implements ObjectStore {
    private final MemoryStore objects;
    private final String cacheName;
    private volatile boolean hidesVersions;
    private volatile RequestCost requestCost = RequestCost.NETWORK;
    private final AtomicInteger chunkReads = new AtomicInteger();
    private final AtomicLong longestFromEnd = new AtomicLong();

    CountedStore(MemoryStore objects, String cacheName) {
        this.objects = objects;
        this.cacheName = cacheName;
    }

    CountedStore(MemoryStore objects) {
        this(objects, "test://counted");
    }

    /** From now on, requests cost this. */
    void setRequestCost(RequestCost cost) {
        requestCost = cost;
    }

    /** From now on, it says nothing of versions. */
    void hidesVersions() {
        hidesVersions = true;
    }

    /** {@return the reads since this was last called} */
    int takeChunkReads() {
        return chunkReads.getAndSet(0);
    }

    /** {@return the length of the longest read that was asked for from the end of an object} */
    long longestFromEnd() {
        return longestFromEnd.get();
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
            if (read.offset() < 0) {
                longestFromEnd.accumulateAndGet(read.length(), Math::max);
            }
        }
        objects.read(hidesVersions ? reads.stream().map(Unversioned::new).toList() : reads);
    }

    @Override
    public RequestCost requestCost() {
        return requestCost;
    }

    @Override
    public void close() {}

    /** A read that is told no version. */
    private record Unversioned(ObjectRead read) implements ObjectRead {
        @Override
        public String key() {
            return read.key();
        }

        @Override
        public long offset() {
            return read.offset();
        }

        @Override
        public long length() {
            return read.length();
        }

        @Override
        public Optional<String> version() {
            return Optional.empty();
        }

        @Override
        public boolean isWanted() {
            return read.isWanted();
        }

        @Override
        public MemorySegment target(long bytes) {
            return read.target(bytes);
        }

        @Override
        public void completed(long bytes, long objectBytes, Optional<String> version) {
            read.completed(bytes, objectBytes, Optional.empty());
        }

        @Override
        public void missing() {
            read.missing();
        }

        @Override
        public void failed(Throwable cause) {
            read.failed(cause);
        }
    }
}
