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
     * @throws CodecException if the input is corrupt; for zstd, lz4, zlib and gzip, {@link
     *     TargetTooSmallException} if it decodes to more than the target holds
     */
    long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException;

    /**
     * Decodes the front of {@code encoded} and stops there, if that is possible and saves work.
     * Ignores the rest. If this method refuses, the input may still be valid: the caller decodes
     * all of it, which reports any error.
     *
     * @param decoded of the decoded size
     * @param bytes number of wanted bytes, at most those of {@code decoded}
     * @return bytes written, at least {@code bytes}; -1 if everything must be decoded
     * @throws CodecException if the header is damaged
     */
    default long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        return -1;
    }

    /**
     * Decodes the front of {@code encoded} after {@link #decompress} has refused it, so that damage
     * after the wanted bytes does not matter here either.
     *
     * @param decoded of the decoded size
     * @param bytes number of wanted bytes, at most those of {@code decoded}
     * @return bytes written, at least {@code bytes}; -1 if the front is damaged, or {@link
     *     #decompressFront} would have decoded it
     * @throws CodecException if the header is damaged
     */
    default long salvageFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        return -1;
    }

    /**
     * Decodes {@code encoded} in order, block by block, up to the end of the bytes that a sink
     * wants, to memory that stays in a CPU cache; if that is possible and saves work.
     *
     * @param decodedBytes the decoded size
     * @param sink gets the blocks
     * @param workspace lends the memory
     * @return number of decoded bytes; -1, without a call of the sink, if everything must be
     *     decoded at once, which reports any error
     * @throws CodecException if the input is corrupt; the sink may have got blocks
     */
    default long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        return -1;
    }
}
