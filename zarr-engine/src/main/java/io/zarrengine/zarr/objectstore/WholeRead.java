package io.zarrengine.zarr.objectstore;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A read of all of a short object, which a thread waits for. */
public final class WholeRead implements ObjectRead {
    private final String key;
    private final long bytesMax;
    private final CompletableFuture<Optional<byte[]>> ended = new CompletableFuture<>();
    private volatile byte[] bytes = {};

    /**
     * Creates the read; a store has to start it.
     *
     * @param key the name of the object
     * @param bytesMax the read fails if the object is larger; less than 2 GiB
     */
    public WholeRead(String key, long bytesMax) {
        this.key = key;
        this.bytesMax = bytesMax;
    }

    /**
     * Waits for the end of the read.
     *
     * @return the bytes; empty if there is no such object
     * @throws ExecutionException if the read failed
     * @throws InterruptedException if this thread is interrupted; nobody wants the bytes then
     */
    public Optional<byte[]> get() throws ExecutionException, InterruptedException {
        try {
            return ended.get();
        } catch (InterruptedException e) {
            ended.cancel(false);
            throw e;
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
        return !ended.isDone();
    }

    @Override
    public MemorySegment target(long count) {
        if (count > bytesMax) {
            throw new IllegalArgumentException("has more than " + bytesMax + " bytes");
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
