package io.zarrengine.gpu.chunk;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.bindings.frames.ZlibHeader;
import io.zarrengine.zarr.codec.Workspace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Where the parts of a blosc chunk go for the deflate in each of its zlib streams to begin at a
 * multiple of what nvCOMP wants; in the chunk they begin anywhere. Nothing is left out but what
 * lies between streams, so the chunk can be put together again.
 */
public final class AlignedStreams {
    private static final int WORDS = 3; // of a part: where it was, where it goes, its length

    private final long chunkBytes;
    private final long alignment;
    private long[] parts = new long[8 * WORDS];
    private int words;
    private long used;

    /**
     * Begins with what is before the streams.
     *
     * @param chunkBytes the chunk's size
     * @param headerBytes of that, before the first stream
     * @param alignment what each deflate is to begin at a multiple of; a power of two
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
     * @param offset where its deflate begins, or what is stored of it
     * @param bytes how long that is
     * @param isStored whether it is stored
     * @return where it begins now
     */
    long add(long offset, int bytes, boolean isStored) {
        int before = BloscHeader.LENGTH_BYTES + (isStored ? 0 : ZlibHeader.BYTES);
        int behind = isStored ? 0 : ZlibHeader.TRAILER_BYTES;
        long at = used + before + alignment - 1 & -alignment;
        add(offset - before, at - before, (long) before + bytes + behind);
        return at;
    }

    /** {@return whether no streams share bytes, as those of a broken chunk may} */
    public boolean areApart() {
        long gaps = words / WORDS * (alignment - 1);
        return used <= chunkBytes + gaps;
    }

    /** {@return the size of all parts in their new places, in bytes} */
    public long byteSize() {
        return used;
    }

    /** {@return a chunk's parts in their new places, until the workspace is used again} */
    public MemorySegment align(MemorySegment chunk, Workspace workspace) {
        MemorySegment aligned = workspace.result(used);
        for (int i = 0; i < words; i += WORDS) {
            MemorySegment.copy(chunk, parts[i], aligned, parts[i + 1], parts[i + 2]);
        }
        return aligned;
    }

    /**
     * Puts a chunk together again.
     *
     * @param aligned what {@link #align} made
     * @param chunk zeroed memory of {@link #chunkBytes}
     */
    public void restore(MemorySegment aligned, MemorySegment chunk) {
        for (int i = 0; i < words; i += WORDS) {
            MemorySegment.copy(aligned, parts[i + 1], chunk, parts[i], parts[i + 2]);
        }
    }

    /** {@return the size of the chunk as it was, in bytes} */
    public long chunkBytes() {
        return chunkBytes;
    }
}
