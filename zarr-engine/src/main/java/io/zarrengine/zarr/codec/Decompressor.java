package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes one compression format. Owner: one {@link Workspace}, so one thread.
 *
 * <p>Writes nothing outside {@code decoded}, whatever the input.
 */
interface Decompressor extends AutoCloseable {
    /**
     * Decodes all of {@code encoded} to the front of {@code decoded}.
     *
     * @return bytes written
     * @throws CodecException if the input is corrupt; of zstd, lz4, zlib and gzip, {@link
     *     TargetTooSmallException} if it is longer than the target
     */
    long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException;

    @Override
    void close();
}
