package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A read of all of an object into memory of the test. */
final class NativeRead implements ObjectRead {
    private final MemorySegment memory;
    private final long length;
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private volatile boolean isWanted = true;

    NativeRead(MemorySegment memory, long length) {
        this.memory = memory;
        this.length = length;
    }

    /** {@return the number of bytes; -1 if there is no object} */
    CompletableFuture<Long> ended() {
        return ended;
    }

    void cancel() {
        isWanted = false;
    }

    @Override
    public String key() {
        return "x";
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Optional<String> version() {
        return Optional.empty();
    }

    @Override
    public boolean isWanted() {
        return isWanted;
    }

    @Override
    public MemorySegment target(long bytes) {
        return memory.asSlice(0, bytes);
    }

    @Override
    public void completed(long bytes, long objectBytes, Optional<String> version) {
        ended.complete(bytes);
    }

    @Override
    public void missing() {
        ended.complete(-1L);
    }

    @Override
    public void failed(Throwable cause) {
        ended.completeExceptionally(cause);
    }
}
