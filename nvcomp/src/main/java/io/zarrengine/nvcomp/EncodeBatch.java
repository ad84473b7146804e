package io.zarrengine.nvcomp;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;

/**
 * Chunks to encode by one launch. The encoder is not told how large targets are: each has room for
 * what the largest chunk of the batch may come to ({@link BatchEncoder#encodedBytesMax}).
 */
public final class EncodeBatch extends ChunkBatch {
    private long targetBytesMin = Long.MAX_VALUE;

    /**
     * Creates an empty batch.
     *
     * @param host pinned memory of {@link #bytes} bytes, aligned to 8
     * @param device as much device memory, aligned to 8
     * @param chunksMax how many chunks fit
     */
    public EncodeBatch(MemorySegment host, DeviceSlice device, int chunksMax) {
        super(host, device, chunksMax);
    }

    /**
     * Adds a chunk.
     *
     * @param decoded its bytes on the device, at least one
     * @param encoded where it goes
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

    /** The size of the smallest target, in bytes. */
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
