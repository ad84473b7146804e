package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.store.ChunkFileSizes;

/**
 * The size of an array on disk.
 *
 * @param files number of chunk files
 * @param bytes size of the chunk files
 * @param uncompressedBytes the size of all elements; {@link Long#MAX_VALUE} if it is larger, -1 if
 *     the elements have no fixed size
 * @param otherFiles number of files, among {@code files}, that have names of chunks, but are none
 *     of this array. They are never read; perhaps the metadata names another separator than the
 *     writer used
 * @param deflatedFiles number of files, among {@code files}, that a zip file has compressed: no
 *     part of them can be read alone
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
     * {@return the ratio of {@code uncompressedBytes} to {@code bytes}; 0 if there are no bytes, or
     * the elements have no fixed size}
     */
    public double ratio() {
        return bytes == 0 || uncompressedBytes < 0 ? 0 : (double) uncompressedBytes / bytes;
    }
}
