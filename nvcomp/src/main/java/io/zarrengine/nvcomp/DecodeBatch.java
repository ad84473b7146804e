package io.zarrengine.nvcomp;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;

/** Chunks to be decoded by one launch. A target has exactly the decoded size of its chunk. */
public final class DecodeBatch extends ChunkBatch {
    /**
     * Creates an empty batch.
     *
     * @param host pinned memory of {@link #bytes} bytes, aligned to 8
     * @param device device memory of the same size, aligned to 8
     * @param chunksMax the maximum number of chunks
     */
    public DecodeBatch(MemorySegment host, DeviceSlice device, int chunksMax) {
        super(host, device, chunksMax);
    }

    /**
     * Adds a chunk.
     *
     * @param encoded its bytes on the device
     * @param decoded its target, of exactly the decoded size
     * @throws IllegalStateException if the batch is full
     */
    public void add(DeviceSlice encoded, DeviceSlice decoded) {
        add(encoded.address(), encoded.byteSize(), decoded.address(), decoded.byteSize());
    }

    /**
     * Adds a chunk.
     *
     * @param source device address of its bytes
     * @param sourceBytes number of its bytes
     * @param target device address of its target
     * @param targetBytes exactly its decoded size, in bytes
     * @throws IllegalStateException if the batch is full
     */
    public void add(long source, long sourceBytes, long target, long targetBytes) {
        append(source, sourceBytes, target, targetBytes);
    }

    @Override
    long decodedBytes(long sourceBytes, long targetBytes) {
        return targetBytes;
    }

    @Override
    boolean isSize(long actualBytes, long targetBytes) {
        return actualBytes == targetBytes;
    }
}
