package io.zarrengine.zarr.reference;

import java.io.ByteArrayOutputStream;

/** Bytes that become more. */
final class Bytes {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    Bytes add(byte[] more) {
        all.writeBytes(more);
        return this;
    }

    /** As a little-endian integer. */
    Bytes addInt(long value) {
        return add(Numbers.ofBits(value, 4));
    }

    int size() {
        return all.size();
    }

    byte[] toArray() {
        return all.toByteArray();
    }
}
