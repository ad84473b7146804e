package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A read that passes its bytes and its end on to another read. */
abstract class ForwardingRead implements ObjectRead {
    final ObjectRead read;

    ForwardingRead(ObjectRead read) {
        this.read = read;
    }

    @Override
    public final String key() {
        return read.key();
    }

    @Override
    public Optional<String> version() {
        return read.version();
    }

    @Override
    public final boolean isWanted() {
        return read.isWanted();
    }

    @Override
    public MemorySegment target(long bytes) {
        return read.target(bytes);
    }

    @Override
    public void completed(long bytes, long objectBytes, Optional<String> found) {
        read.completed(bytes, objectBytes, found);
    }

    @Override
    public final void missing() {
        read.missing();
    }

    @Override
    public final void failed(Throwable cause) {
        read.failed(cause);
    }
}
