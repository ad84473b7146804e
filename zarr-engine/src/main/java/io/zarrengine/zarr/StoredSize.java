package io.zarrengine.zarr;

/**
 * What an array takes on disk.
 *
 * @param files chunk files
 * @param bytes their sizes
 * @param uncompressedBytes the size of all elements
 */
public record StoredSize(long files, long bytes, long uncompressedBytes) {
    /** {@return how many times smaller the chunks are than the elements; 0 if there are none} */
    public double ratio() {
        return bytes == 0 ? 0 : (double) uncompressedBytes / bytes;
    }
}
