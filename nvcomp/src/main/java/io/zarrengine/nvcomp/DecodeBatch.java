package io.zarrengine.nvcomp;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;

/** Chunks to decode by one launch: a target has exactly a chunk's size. */
public final class DecodeBatch extends ChunkBatch {
    /**
     * Creates an empty batch.
     *
     * @param host pinned memory of {@link #bytes} bytes, aligned to 8
     * @param device as much device memory, aligned to 8
     * @param chunksMax how many chunks fit
     */
    public DecodeBatch(MemorySegment host, DeviceSlice device, int chunksMax) {
        super(host, device, chunksMax);
    }

    /**
     * Adds a chunk.
     *
     * @param encoded its bytes on the device
     * @param decoded where it goes; exactly its size
     * @throws IllegalStateException if the batch is full
     */
    public void add(DeviceSlice encoded, DeviceSlice decoded) {
        add(encoded.address(), encoded.byteSize(), decoded.address(), decoded.byteSize());
    }

    /**
     * Adds a chunk.
     *
     * @param source where its bytes are on the device
     * @param sourceBytes how many
     * @param target where it goes
     * @param targetBytes exactly its size
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
