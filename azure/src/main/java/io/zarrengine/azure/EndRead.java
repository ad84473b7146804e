package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A read of the end of an object, once its size and version are known. */
final class EndRead implements ObjectRead {
    private final ObjectRead read;
    private final long offset;
    private final long length;
    private final Optional<String> version;

    EndRead(ObjectRead read, long offset, long length, Optional<String> version) {
        this.read = read;
        this.offset = offset;
        this.length = length;
        this.version = version;
    }

    @Override
    public String key() {
        return read.key();
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Optional<String> version() {
        return version;
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
    public void completed(long bytes, long objectBytes, Optional<String> newVersion) {
        read.completed(bytes, objectBytes, newVersion);
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
