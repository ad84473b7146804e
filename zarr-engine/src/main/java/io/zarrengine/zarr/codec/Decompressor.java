package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes one compression format. Owner: one {@link Workspace}, so one thread.
 *
 * <p>Writes nothing outside {@code decoded}, whatever the input.
 */
public interface Decompressor extends CodecContext {
    /**
     * Decodes all of {@code encoded} to the front of {@code decoded}.
     *
     * @return bytes written
     * @throws CodecException if the input is corrupt; of zstd, lz4, zlib and gzip, {@link
     *     TargetTooSmallException} if it is longer than the target
     */
    long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException;

    /**
     * Decodes the front of {@code encoded} and stops there, if that is possible and saves anything.
     * What follows is not looked at. A refusal says nothing about the input: the caller decodes all
     * of it, and learns what is wrong.
     *
     * @param decoded of the decoded size
     * @param bytes how many are wanted, at most those of {@code decoded}
     * @return bytes written, at least {@code bytes}; -1 if all has to be decoded
     * @throws CodecException if the header is damaged
     */
    default long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        return -1;
    }

    /**
     * Decodes the front of {@code encoded}, of which {@link #decompress} has refused the whole, so
     * that what lies behind what is wanted is of no account here either.
     *
     * @param decoded of the decoded size
     * @param bytes how many are wanted, at most those of {@code decoded}
     * @return bytes written, at least {@code bytes}; -1 if the front is damaged, or {@link
     *     #decompressFront} would have decoded it
     * @throws CodecException if the header is damaged
     */
    default long salvageFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        return -1;
    }

    /**
     * Decodes {@code encoded} in order, block by block, as far as a sink wants it, to memory that
     * stays in a cache; if that is possible and saves anything.
     *
     * @param decodedBytes the decoded size
     * @param sink gets the blocks
     * @param workspace lends the memory
     * @return how many bytes were decoded; -1, and nothing has come, if all has to be decoded at
     *     once, which tells what is wrong if anything is
     * @throws CodecException if the input is corrupt; something may have come
     */
    default long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        return -1;
    }
}
