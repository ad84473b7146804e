package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.place.StridedBox;
import java.lang.foreign.MemorySegment;

/** Decodes a chunk and places boxes of it in one call. Owner: one {@link Workspace}. */
public interface BoxCall extends CodecContext {
    /**
     * Begins a chunk.
     *
     * @param encoded exactly one encoded chunk
     * @param decodedBytes exactly the decoded size
     * @param elementBytes size of an element
     * @param boxes number of boxes that will be added
     * @return whether the call is fit for it
     */
    boolean begin(MemorySegment encoded, long decodedBytes, int elementBytes, int boxes);

    /**
     * Adds a box.
     *
     * @param box a wanted part of the chunk, and its places
     * @param target of the boxes: native memory, not a mapped file
     * @return whether the call is fit for it
     */
    boolean add(StridedBox box, MemorySegment target);

    /**
     * Decodes at least what is wanted, and writes it.
     *
     * @param encoded the chunk; not modified
     * @param buffer of the decoded size, for anything
     * @param target of the boxes
     * @return number of decoded bytes; negative if the chunk must be decoded in another way, which
     *     reports any error: then rows may have been written
     */
    long place(MemorySegment encoded, MemorySegment buffer, MemorySegment target);
}
