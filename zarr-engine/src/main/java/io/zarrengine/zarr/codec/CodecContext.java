package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;

/** A decoder or encoder with its native memory. Owner: one {@link Workspace}. */
public interface CodecContext extends AutoCloseable {
    @Override
    void close();

    /**
     * Creates contexts of one kind. A {@link Workspace} keeps its context by the identity of the
     * factory, so each kind has one constant.
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
