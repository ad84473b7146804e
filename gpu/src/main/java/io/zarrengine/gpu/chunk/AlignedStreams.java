package io.zarrengine.gpu.chunk;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.bindings.frames.ZlibHeader;
import io.zarrengine.zarr.codec.Workspace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Aligned layout of a blosc chunk with zlib streams: the deflate data of each stream begins at a
 * multiple that nvCOMP requires. In the stored chunk it begins anywhere. Only bytes between streams
 * are left out, so the chunk can be restored.
 */
public final class AlignedStreams {
    private static final int WORDS = 3; // per part: old offset, new offset, length

    private final long chunkBytes;
    private final long alignment;
    private long[] parts = new long[8 * WORDS];
    private int words;
    private long used;

    /**
     * Begins with the header.
     *
     * @param chunkBytes the chunk's size
     * @param headerBytes the bytes before the first stream
     * @param alignment the alignment of the beginning of each deflate stream; a power of two
     */
    AlignedStreams(long chunkBytes, int headerBytes, long alignment) {
        this.chunkBytes = chunkBytes;
        this.alignment = alignment;
        add(0, 0, headerBytes);
    }

    private void add(long from, long to, long bytes) {
        if (words == parts.length) {
            parts = Arrays.copyOf(parts, 2 * words);
        }
        parts[words++] = from;
        parts[words++] = to;
        parts[words++] = bytes;
        used = to + bytes;
    }

    /**
     * Adds a stream.
     *
     * @param offset offset of its deflate data, or of its stored bytes
     * @param bytes length of those
     * @param isStored whether the stream is stored uncompressed
     * @return the new offset
     */
    long add(long offset, int bytes, boolean isStored) {
        int before = BloscHeader.LENGTH_BYTES + (isStored ? 0 : ZlibHeader.BYTES);
        int after = isStored ? 0 : ZlibHeader.TRAILER_BYTES;
        long at = used + before + alignment - 1 & -alignment;
        add(offset - before, at - before, (long) before + bytes + after);
        return at;
    }

    /** {@return whether no streams overlap, as those of a broken chunk may} */
    public boolean areApart() {
        long gaps = words / WORDS * (alignment - 1);
        return used <= chunkBytes + gaps;
    }

    /** {@return the size of the aligned layout, in bytes} */
    public long byteSize() {
        return used;
    }

    /**
     * {@return a chunk in the aligned layout, in memory that is valid until the workspace's next
     * use}
     */
    public MemorySegment align(MemorySegment chunk, Workspace workspace) {
        MemorySegment aligned = workspace.result(used);
        for (int i = 0; i < words; i += WORDS) {
            MemorySegment.copy(chunk, parts[i], aligned, parts[i + 1], parts[i + 2]);
        }
        return aligned;
    }

    /**
     * Restores a chunk from the aligned layout.
     *
     * @param aligned the result of {@link #align}
     * @param chunk zeroed memory of {@link #chunkBytes}
     */
    public void restore(MemorySegment aligned, MemorySegment chunk) {
        for (int i = 0; i < words; i += WORDS) {
            MemorySegment.copy(aligned, parts[i + 1], chunk, parts[i], parts[i + 2]);
        }
    }

    /** {@return the size of the stored chunk, in bytes} */
    public long chunkBytes() {
        return chunkBytes;
    }
}
