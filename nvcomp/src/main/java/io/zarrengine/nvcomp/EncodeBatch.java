package io.zarrengine.nvcomp;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;

/**
 * Chunks to be encoded by one launch. The encoder does not know the size of targets, so each must
 * have room for the largest chunk of the batch ({@link BatchEncoder#encodedBytesMax}).
 */
public final class EncodeBatch extends ChunkBatch {
    private long targetBytesMin = Long.MAX_VALUE;

    /**
     * Creates an empty batch.
     *
     * @param host pinned memory of {@link #bytes} bytes, aligned to 8
     * @param device device memory of the same size, aligned to 8
     * @param chunksMax the maximum number of chunks
     */
    public EncodeBatch(MemorySegment host, DeviceSlice device, int chunksMax) {
        super(host, device, chunksMax);
    }

    /**
     * Adds a chunk.
     *
     * @param decoded its bytes on the device, at least one
     * @param encoded its target
     * @throws IllegalArgumentException if the chunk is empty
     * @throws IllegalStateException if the batch is full
     */
    public void add(DeviceSlice decoded, DeviceSlice encoded) {
        if (decoded.byteSize() == 0) {
            throw new IllegalArgumentException("an empty chunk");
        }
        append(decoded.address(), decoded.byteSize(), encoded.address(), encoded.byteSize());
        targetBytesMin = Math.min(targetBytesMin, encoded.byteSize());
    }

    @Override
    public void clear() {
        super.clear();
        targetBytesMin = Long.MAX_VALUE;
    }

    /** Returns the size of the smallest target, in bytes. */
    long targetBytesMin() {
        return targetBytesMin;
    }

    @Override
    long decodedBytes(long sourceBytes, long targetBytes) {
        return sourceBytes;
    }

    @Override
    boolean isSize(long actualBytes, long targetBytes) {
        return actualBytes > 0 && actualBytes <= targetBytes;
    }
}
