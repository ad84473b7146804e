package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;

/** A decoder or encoder with the native memory that it needs. Owner: one {@link Workspace}. */
public interface CodecContext extends AutoCloseable {
    @Override
    void close();

    /**
     * Makes contexts of one kind. A {@link Workspace} keeps the one that it made by the identity of
     * the factory: there is one constant for each kind.
     *
     * @param <T> the type of the contexts
     */
    @FunctionalInterface
    interface Factory<T extends CodecContext> {
        /**
         * {@return a new context}
         *
         * @param verifiesChecksums whether checksums inside the format are compared
         * @throws CodecException if this machine has no such decoder or encoder
         */
        T create(boolean verifiesChecksums) throws CodecException;
    }
}
