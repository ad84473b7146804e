package io.zarrengine.zarr.execute;

/**
 * A run of bytes.
 *
 * @param from the first one
 * @param to behind the last one
 */
record ByteRange(long from, long to) {
    long bytes() {
        return to - from;
    }
}
