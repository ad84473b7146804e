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
 * @param otherFiles how many of the files have names that are no chunk's: they are never read,
 *     perhaps because the metadata names another separator than the writer had
 * @param deflatedFiles how many of the files a zip file has compressed: no part of them can be read
 *     alone
 */
public record StoredSize(
        long files, long bytes, long uncompressedBytes, long otherFiles, long deflatedFiles) {
    static StoredSize of(ChunkFileSizes stored, ArrayMetadata metadata) {
        boolean isFixed = !(metadata.dataType() instanceof VariableLengthType);
        return new StoredSize(
                stored.files(),
                stored.bytes(),
                isFixed ? metadata.byteSize() : -1,
                stored.others(),
                stored.deflated());
    }

    /**
     * {@return how many times smaller the chunks are than the elements; 0 if there are none, or the
     * elements have no fixed size}
     */
    public double ratio() {
        return bytes == 0 || uncompressedBytes < 0 ? 0 : (double) uncompressedBytes / bytes;
    }
}
