package io.zarrengine.zarr.objectstore;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Objects with names, of which ranges of bytes can be read: a bucket, a web server, a database, a
 * map. A name is called a key; its parts are joined by slashes, and it neither begins nor ends with
 * one.
 *
 * <p>Owner: the code that opened it; it outlives the arrays that are read from it. Threads: any;
 * many reads are under way at once.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/stores/index.html">Zarr v3,
 *     stores</a>
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * {@return the name of the store, for messages: a key follows it after a slash} For example
     * {@code https://host/bucket}. It contains no password or token.
     */
    String name();

    /**
     * {@return a name that no store with other objects has, also in other processes; empty if
     * nothing of this store may be kept on disk} Only a hash of it and of the key is written.
     * Objects without a version are not kept.
     */
    default Optional<String> cacheName() {
        return Optional.empty();
    }

    /**
     * Starts reads, and returns without waiting for them. They end in any order, each by exactly
     * one of {@link ObjectRead#completed}, {@link ObjectRead#missing} and {@link
     * ObjectRead#failed}, on any thread, also on the calling one. A store repeats what may succeed
     * when it is repeated; what fails here fails the caller's read.
     *
     * <p>If this throws, the reads fail that have not ended, except those whose {@link
     * ObjectRead#target} another thread has asked for: these the store must still end. It must not
     * write to memory that it got on the calling thread any more.
     *
     * @param reads the ranges to read; the store may keep the list
     */
    void read(List<? extends ObjectRead> reads);

    /**
     * {@return the parts that follow a prefix in the names of objects, each up to its next slash;
     * empty if this store cannot list} Unsorted, without repetitions.
     *
     * @param prefix a key followed by a slash, or empty
     * @param max most names to return
     * @throws IOException if the listing fails
     */
    default Optional<List<String>> list(String prefix, long max) throws IOException {
        return Optional.empty();
    }

    /**
     * {@return the cost of a request here, which decides which ranges are read together} It may
     * change while the store learns.
     */
    default RequestCost requestCost() {
        return RequestCost.NETWORK;
    }

    /** {@return counters of the requests so far; zeros if the store sends or counts none} */
    default RequestMetrics metrics() {
        return RequestMetrics.NONE;
    }

    /** Ends the reads under way, which fail, and frees the store. */
    @Override
    void close();
}
