package io.zarrengine.zarr.codec.checksum;

import io.zarrengine.zarr.codec.ByteBuffers;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The {@code crc32c} codec: the bytes, then their CRC-32C as 4 little-endian bytes.
 *
 * @param atStart whether the checksum is before the bytes, which numcodecs supports and Zarr v3
 *     does not
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html">Zarr v3,
 *     crc32c codec</a>
 */
public record Crc32cCodec(boolean atStart) implements Checksum32 {
    public static final String NAME = "crc32c";

    /** Size of the checksum. */
    public static final int CHECKSUM_BYTES = BYTES;

    /** Creates the codec of Zarr v3, with the checksum after the bytes. */
    public Crc32cCodec() {
        this(false);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int checksum(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        ByteBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
