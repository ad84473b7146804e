package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Reads a metadata document from a store; the calling thread waits. */
final class DocumentRead implements ObjectRead {
    private final String key;
    private final CompletableFuture<Optional<byte[]>> ended = new CompletableFuture<>();
    private volatile byte[] text = {};

    private DocumentRead(String key) {
        this.key = key;
    }

    /**
     * {@return the text of a document; empty if it does not exist}
     *
     * @throws StoreException if it cannot be read, or is too large
     * @throws CancellationException if the calling thread is interrupted
     */
    static Optional<byte[]> read(ObjectStore store, ObjectPath path) {
        DocumentRead read = new DocumentRead(path.key());
        store.read(List.of(read));
        try {
            return read.ended.get();
        } catch (InterruptedException e) {
            read.ended.cancel(false); // From now on it is not wanted.
            Thread.currentThread().interrupt();
            throw new CancellationException(path + ": interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? StoreException.of(path.toString(), cause)
                    : new StoreException(
                            path.toString(), String.valueOf(e.getCause()), e.getCause());
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
    public MemorySegment target(long bytes) {
        if (bytes > MetadataFiles.DOCUMENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "has more than " + MetadataFiles.DOCUMENT_BYTES_MAX + " bytes");
        }
        text = new byte[(int) bytes];
        return MemorySegment.ofArray(text);
    }

    @Override
    public void completed(long bytes, long objectBytes, Optional<String> version) {
        ended.complete(Optional.of(text));
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
