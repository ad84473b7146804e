package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.AwaitedRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/** Reads from a store for which the calling thread waits. */
final class BlockingObjectReads {
    private BlockingObjectReads() {}

    /**
     * {@return the text of a document; empty if it does not exist}
     *
     * @throws StoreException if it cannot be read, or is too large
     * @throws CancellationException if the calling thread is interrupted
     */
    static Optional<byte[]> document(ObjectStore store, ObjectPath path) {
        try {
            return get(store, AwaitedRead.whole(path.key(), MetadataFiles.DOCUMENT_BYTES_MAX));
        } catch (IOException e) {
            throw StoreException.of(path.toString(), e);
        }
    }

    /**
     * {@return the bytes that a read brings; empty if there is no such object}
     *
     * @throws IOException if it fails
     * @throws CancellationException if the calling thread is interrupted
     */
    static Optional<byte[]> get(ObjectStore store, AwaitedRead read) throws IOException {
        store.read(List.of(read));
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException(store.name() + "/" + read.key() + ": interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException(String.valueOf(e.getCause()), e.getCause());
        }
    }
}
