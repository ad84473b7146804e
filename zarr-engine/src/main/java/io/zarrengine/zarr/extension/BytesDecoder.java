package io.zarrengine.zarr.extension;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Decodes the chunks of one codec with one configuration. Called from several threads at once. */
public interface BytesDecoder {
    /**
     * {@return how large the encoded form of a chunk can be, in bytes: a larger one is refused}
     *
     * @param decodedBytes the size of the chunk before encoding
     */
    long encodedBytesMax(long decodedBytes);

    /**
     * Decodes a chunk to the front of a target.
     *
     * @param encoded exactly one encoded chunk; read-only
     * @param target where it goes; its size is what the chunk should have, or more
     * @return bytes written
     * @throws IOException if the chunk is not valid; the message says what was found
     * @throws IndexOutOfBoundsException if it decodes to more than the target holds
     */
    long decode(MemorySegment encoded, MemorySegment target) throws IOException;
}
