package io.zarrengine.zarr.objectstore;

import java.io.IOException;

/** A server of the tests that has objects. */
public interface ObjectServer extends AutoCloseable {
    /** Puts an object onto the server, or replaces it. */
    void put(String key, byte[] bytes) throws Exception;

    @Override
    default void close() throws IOException {}
}
