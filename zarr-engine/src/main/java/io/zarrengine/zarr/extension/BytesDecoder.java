package io.zarrengine.zarr.extension;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Decodes the chunks of one codec with one configuration. Several threads call it at once. */
public interface BytesDecoder {
    /**
     * {@return the maximum size of an encoded chunk, in bytes; the engine refuses a larger one}
     *
     * @param decodedBytes the size of the chunk before encoding
     */
    long encodedBytesMax(long decodedBytes);

    /**
     * Decodes a chunk to the front of a target.
     *
     * @param encoded exactly one encoded chunk; read-only
     * @param target the destination; at least as large as the expected decoded size
     * @return bytes written
     * @throws IOException if the chunk is not valid; the message names the value found
     * @throws IndexOutOfBoundsException if the chunk decodes to more than the target holds
     */
    long decode(MemorySegment encoded, MemorySegment target) throws IOException;
}
