package io.zarrengine.gpu.chunk;

import java.lang.foreign.MemorySegment;

/**
 * A chunk's bytes before they are on the device.
 *
 * @param bytes the bytes in host memory; null: the device copies them from {@code source}
 * @param byteSize the number of bytes
 * @param frameOffset offset in them of the frame that a decoder requires to be aligned
 * @param alignment required alignment of the frame's device address; at most {@link
 *     Alignment#BYTES}
 * @param source memory that the device copies the bytes from; null: they are copied to a slot first
 * @param sourceOffset offset of the bytes in that memory
 */
public record ChunkBytes(
        MemorySegment bytes,
        long byteSize,
        long frameOffset,
        long alignment,
        CopySource source,
        long sourceOffset) {
    /** A chunk without bytes to copy. */
    public static final ChunkBytes NONE = ofHost(MemorySegment.NULL, 0, 1);

    /** Returns bytes that are valid during the call only. */
    public static ChunkBytes ofHost(MemorySegment bytes, long frameOffset, long alignment) {
        return new ChunkBytes(bytes, bytes.byteSize(), frameOffset, alignment, null, 0);
    }

    /** Returns bytes that the device copies by itself. */
    public static ChunkBytes of(
            CopySource source, long offset, long byteSize, long frameOffset, long alignment) {
        return new ChunkBytes(null, byteSize, frameOffset, alignment, source, offset);
    }

    /** {@return the first offset, from {@code at} on, at which the frame is aligned} */
    public long firstFrom(long at) {
        return byteSize == 0 ? at : Alignment.up(at) + (-frameOffset & (alignment - 1));
    }

    /** {@return whether the frame is aligned if the bytes lie at an offset} */
    public boolean mayLieAt(long at) {
        return (at + frameOffset & (alignment - 1)) == 0;
    }
}
