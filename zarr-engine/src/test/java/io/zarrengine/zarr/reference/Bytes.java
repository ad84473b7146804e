package io.zarrengine.zarr.reference;

import java.io.ByteArrayOutputStream;

/** Growing buffer of bytes. */
final class Bytes {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    Bytes add(byte[] more) {
        all.writeBytes(more);
        return this;
    }

    /** Adds a little-endian integer. */
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
