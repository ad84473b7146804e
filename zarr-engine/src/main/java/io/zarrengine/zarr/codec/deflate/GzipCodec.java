package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.FrontDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The {@code gzip} codec.
 *
 * @param level 0 to 9
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html">Zarr v3,
 *     gzip codec</a>
 */
public record GzipCodec(int level) implements FrontDecoder {
    public static final String NAME = "gzip";

    /** Creates decoders. */
    public static final CodecContext.Factory<Decompressor> DECOMPRESSOR = GzipDecompressor::new;

    /** Header and trailer of a member, and 5 bytes for each incompressible block. */
    private static final long MEMBER_BYTES = 64;

    private static final long BLOCK_BYTES_MIN = 8192;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + (decodedBytes / BLOCK_BYTES_MIN + 1) * 5 + MEMBER_BYTES;
    }

    /** Returns a limit because the encoder's output is a Java array. */
    @Override
    public long encodableBytesMax() {
        return ByteBuffers.PART_BYTES_MAX;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        if (decoded.byteSize() > ByteBuffers.PART_BYTES_MAX) {
            throw new CodecException(NAME, "cannot encode chunks of more than 1 GiB");
        }
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (Leveled gzip = new Leveled(target, level)) {
            gzip.write(decoded.toArray(ValueLayout.JAVA_BYTE));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory streams do not fail
        }
        MemorySegment bytes = MemorySegment.ofArray(target.toByteArray());
        MemorySegment.copy(bytes, 0, encoded, 0, bytes.byteSize());
        return bytes.byteSize();
    }

    @Override
    public CodecContext.Factory<Decompressor> decompressor() {
        return DECOMPRESSOR;
    }

    /** The JDK's stream, with a chosen level. */
    private static final class Leveled extends GZIPOutputStream {
        Leveled(ByteArrayOutputStream target, int level) throws IOException {
            super(target);
            this.def.setLevel(level == 0 ? Deflater.NO_COMPRESSION : level);
        }
    }
}
