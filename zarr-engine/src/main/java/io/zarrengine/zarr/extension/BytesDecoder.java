package io.zarrengine.zarr.extension;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Decodes the chunks of one codec with one configuration. Several threads may call it at once. */
public interface BytesDecoder {
    /**
     * {@return the largest size of an encoded chunk, in bytes; the engine refuses larger chunks}
     *
     * @param decodedBytes the size of the chunk before encoding, in bytes
     */
    long encodedBytesMax(long decodedBytes);

    /**
     * Decodes a chunk to the start of a target.
     *
     * @param encoded exactly one encoded chunk; read-only
     * @param target the target; its size is the expected size of the chunk, or more
     * @return number of bytes written
     * @throws IOException if the chunk is invalid; the message describes the problem
     * @throws IndexOutOfBoundsException if it decodes to more than the target holds
     */
    long decode(MemorySegment encoded, MemorySegment target) throws IOException;
}
