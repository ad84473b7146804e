package io.zarrengine.zarr.decode;

/**
 * A run of bytes.
 *
 * @param from the first one
 * @param to behind the last one
 */
public record ByteRange(long from, long to) {
    public long bytes() {
        return to - from;
    }
}
