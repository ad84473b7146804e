package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.util.Optional;

/** A read of the end of an object, once its size and version are known. */
final class EndRead extends ForwardingRead {
    private final long offset;
    private final long length;
    private final Optional<String> version;

    EndRead(ObjectRead read, long offset, long length, Optional<String> version) {
        super(read);
        this.offset = offset;
        this.length = length;
        this.version = version;
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
}
