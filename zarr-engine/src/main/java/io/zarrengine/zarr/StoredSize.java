package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.store.ChunkFileSizes;

/**
 * What an array takes on disk.
 *
 * @param files chunk files
 * @param bytes their sizes
 * @param uncompressedBytes the size of all elements; {@link Long#MAX_VALUE} if it is larger
 */
public record StoredSize(long files, long bytes, long uncompressedBytes) {
    static StoredSize of(ChunkFileSizes stored, ArrayMetadata metadata) {
        return new StoredSize(stored.files(), stored.bytes(), metadata.byteSize());
    }

    /** {@return how many times smaller the chunks are than the elements; 0 if there are none} */
    public double ratio() {
        return bytes == 0 ? 0 : (double) uncompressedBytes / bytes;
    }
}
