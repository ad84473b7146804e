package io.zarrengine.zarr.decode;

/**
 * A run of bytes.
 *
 * @param from first byte
 * @param to end, exclusive
 */
public record ByteRange(long from, long to) {
    public long bytes() {
        return to - from;
    }
}
