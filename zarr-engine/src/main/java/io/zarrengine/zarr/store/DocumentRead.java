package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.WholeRead;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/** Reads a metadata document from a store; the calling thread waits. */
final class DocumentRead {
    private DocumentRead() {}

    /**
     * {@return the text of a document; empty if it does not exist}
     *
     * @throws StoreException if it cannot be read, or is too large
     * @throws CancellationException if the calling thread is interrupted
     */
    static Optional<byte[]> read(ObjectStore store, ObjectPath path) {
        WholeRead read = new WholeRead(path.key(), MetadataFiles.DOCUMENT_BYTES_MAX);
        store.read(List.of(read));
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException(path + ": interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? StoreException.of(path.toString(), cause)
                    : new StoreException(
                            path.toString(), String.valueOf(e.getCause()), e.getCause());
        }
    }
}
