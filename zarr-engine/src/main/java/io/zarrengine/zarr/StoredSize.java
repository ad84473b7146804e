package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.store.ChunkFileSizes;

/**
 * What an array takes on disk.
 *
 * @param files chunk files
 * @param bytes their sizes
 * @param uncompressedBytes the size of all elements; {@link Long#MAX_VALUE} if it is larger, -1 if
 *     they have no fixed size
 */
public record StoredSize(long files, long bytes, long uncompressedBytes) {
    static StoredSize of(ChunkFileSizes stored, ArrayMetadata metadata) {
        boolean isFixed = !(metadata.dataType() instanceof VariableLengthType);
        return new StoredSize(stored.files(), stored.bytes(), isFixed ? metadata.byteSize() : -1);
    }

    /**
     * {@return how many times smaller the chunks are than the elements; 0 if there are none, or the
     * elements have no fixed size}
     */
    public double ratio() {
        return bytes == 0 || uncompressedBytes < 0 ? 0 : (double) uncompressedBytes / bytes;
    }
}
