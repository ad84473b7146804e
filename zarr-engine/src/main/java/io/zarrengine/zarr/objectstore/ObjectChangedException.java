package io.zarrengine.zarr.objectstore;

import java.io.IOException;

/** An object has another version than the one that was read before. */
public final class ObjectChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param before the version that was read before
     * @param now the version now, or a description of it
     */
    public ObjectChangedException(String before, String now) {
        super(
                "the object has changed since it was first read (version "
                        + before
                        + ", now "
                        + now
                        + "); open the array again");
    }
}
