package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A read of all of a short object, which a thread waits for. */
final class WholeRead implements ObjectRead {
    /** A page of a listing has 5,000 keys of at most 1,024 characters, and what is around them. */
    private static final long BYTES_MAX = 32 << 20;

    private final String key;
    private final CompletableFuture<Optional<byte[]>> ended = new CompletableFuture<>();
    private volatile byte[] bytes = {};
    private volatile boolean isWanted = true;

    WholeRead(String key) {
        this.key = key;
    }

    /** {@return the bytes; empty if there is no such object} */
    Optional<byte[]> get() throws IOException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            isWanted = false;
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public long length() {
        return WHOLE;
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
    public MemorySegment target(long count) {
        if (count > BYTES_MAX) {
            throw new IllegalArgumentException("the answer has " + count + " bytes");
        }
        bytes = new byte[(int) count];
        return MemorySegment.ofArray(bytes);
    }

    @Override
    public void completed(long count, long objectBytes, Optional<String> version) {
        ended.complete(Optional.of(bytes));
    }

    @Override
    public void missing() {
        ended.complete(Optional.empty());
    }

    @Override
    public void failed(Throwable cause) {
        ended.completeExceptionally(cause);
    }
}
