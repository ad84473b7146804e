package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Reads the first byte of an object to learn its size; then reads the end of that version. */
final class SizeRead extends ForwardingRead {
    private final ObjectStore store;

    SizeRead(ObjectRead read, ObjectStore store) {
        super(read);
        this.store = store;
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public long length() {
        return 1;
    }

    @Override
    public MemorySegment target(long bytes) {
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    @Override
    public void completed(long bytes, long objectBytes, Optional<String> found) {
        if (objectBytes == 0) {
            read.target(0);
            read.completed(0, 0, found);
        } else {
            long length = Math.min(read.length(), objectBytes);
            store.read(List.of(new EndRead(read, objectBytes - length, length, found)));
        }
    }
}
