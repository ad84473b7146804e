package io.zarrengine.zarr.codec.checksum;

import io.zarrengine.zarr.codec.ByteBuffers;
import java.lang.foreign.MemorySegment;
import java.util.zip.Adler32;

/**
 * The {@code adler32} codec: an Adler-32, as in zlib.
 *
 * @param atStart whether it is before the bytes, which is the default of the configuration
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/checksum32.html">numcodecs, Adler32</a>
 */
public record Adler32Codec(boolean atStart) implements Checksum32 {
    public static final String NAME = "adler32";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int checksum(MemorySegment bytes) {
        Adler32 adler = new Adler32();
        ByteBuffers.update(adler, bytes);
        return (int) adler.getValue();
    }
}
