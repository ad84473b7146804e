package io.zarrengine.zarr.codec.checksum;

import io.zarrengine.zarr.codec.ByteBuffers;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/**
 * The {@code crc32} codec: a CRC-32, as in gzip.
 *
 * @param atStart whether it is before the bytes, which is the default of the configuration
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/checksum32.html">numcodecs, CRC32</a>
 */
public record Crc32Codec(boolean atStart) implements Checksum32 {
    public static final String NAME = "crc32";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int checksum(MemorySegment bytes) {
        CRC32 crc = new CRC32();
        ByteBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
