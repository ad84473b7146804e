package io.zarrengine.zarr.codec.stream;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * The {@code bz2} codec: one or several bzip2 streams. A decoder takes 4.5 MB for any stream.
 *
 * @param level 1 to 9, the size of a block in units of 100,000 bytes
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/compression/bz2.html">numcodecs, BZ2</a>
 */
public record Bz2Codec(int level) implements BytesCodec.Compressor {
    public static final String NAME = "bz2";

    private static final String LIBRARY = "commons-compress";

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Returns "1 % larger plus 600 bytes" (BZ2_bzBuffToBuffCompress), plus an eighth for short
     * blocks.
     */
    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + decodedBytes / 8 + 600;
    }

    @Override
    public boolean canEncode() {
        return StreamCodecs.hasBz2();
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return StreamCodecs.encode(
                NAME, LIBRARY, target -> Bz2Streams.encoder(target, level), decoded, encoded);
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        // Not a method reference: to create one, Java would load a class that may be missing.
        return StreamCodecs.decode(
                NAME, LIBRARY, source -> Bz2Streams.decoder(source), encoded, decoded);
    }
}
