package io.zarrengine.gpu.chunk;

import java.lang.foreign.MemorySegment;

/**
 * A chunk's bytes before they are on the device.
 *
 * @param bytes they themselves, in memory of the host; null: the device copies them by itself
 * @param byteSize how many
 * @param frameOffset where in them the frame begins that a decoder wants aligned
 * @param alignment what the frame's address on the device is to be a multiple of; at most {@link
 *     Alignment#BYTES}
 * @param source what the device copies them from; null: they are copied to a slot first
 * @param sourceOffset where they begin in that, in bytes
 */
public record ChunkBytes(
        MemorySegment bytes,
        long byteSize,
        long frameOffset,
        long alignment,
        CopySource source,
        long sourceOffset) {
    /** A chunk of which there is nothing to copy. */
    public static final ChunkBytes NONE = ofHost(MemorySegment.NULL, 0, 1);

    /** Bytes that are there during the call alone. */
    public static ChunkBytes ofHost(MemorySegment bytes, long frameOffset, long alignment) {
        return new ChunkBytes(bytes, bytes.byteSize(), frameOffset, alignment, null, 0);
    }

    /** Bytes that the device copies by itself. */
    public static ChunkBytes of(
            CopySource source, long offset, long byteSize, long frameOffset, long alignment) {
        return new ChunkBytes(null, byteSize, frameOffset, alignment, source, offset);
    }

    /** {@return the first place from one on that they may lie at, behind an aligned one} */
    public long firstFrom(long at) {
        return byteSize == 0 ? at : Alignment.up(at) + (-frameOffset & (alignment - 1));
    }

    /** {@return whether they may lie at a place} */
    public boolean mayLieAt(long at) {
        return (at + frameOffset & (alignment - 1)) == 0;
    }
}
