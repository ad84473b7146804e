package io.zarrengine.zarr.codec.stream;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The {@code lzma} codec of numcodecs, which writes what Python's {@code lzma} module writes.
 *
 * @param format the container of the streams
 * @param check the check of an xz stream that encoding adds, by Python's numbers; -1 for the
 *     default
 * @param preset 0 to 9, for encoding
 * @param filters of raw streams, in the order of encoding; other formats have them in the stream
 * @see <a href="https://docs.python.org/3/library/lzma.html">Python, lzma</a>
 */
public record LzmaCodec(Format format, int check, int preset, List<LzmaFilter> filters)
        implements BytesCodec.Compressor {
    public static final String NAME = "lzma";

    private static final String LIBRARY = "xz (org.tukaani)";

    /** The container of streams, in the order of Python's numbers. */
    public enum Format {
        /** Detected when decoding; {@link #XZ} when encoding. */
        AUTO,
        /** The .xz container. */
        XZ,
        /** The old .lzma container. */
        ALONE,
        /** No container: the filters are in the configuration. */
        RAW
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Bounds incompressible data: LZMA2 stores it, LZMA makes it a little larger. */
    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + decodedBytes / 16 + 1024;
    }

    @Override
    public boolean canEncode() {
        return format != Format.RAW && StreamCodecs.hasLzma();
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        if (format == Format.RAW) {
            throw new CodecException(NAME, "encoding raw streams is not supported");
        }
        return StreamCodecs.encode(NAME, LIBRARY, this::encoder, decoded, encoded);
    }

    private OutputStream encoder(OutputStream target) throws IOException {
        return format == Format.ALONE
                ? LzmaStreams.aloneEncoder(target, preset)
                : LzmaStreams.xzEncoder(target, preset, check);
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        return StreamCodecs.decode(
                NAME, LIBRARY, source -> decoder(source, decoded.byteSize()), encoded, decoded);
    }

    private InputStream decoder(SegmentInputStream source, long decodedBytes) throws IOException {
        return switch (format) {
            case RAW -> LzmaStreams.rawDecoder(source, filters, decodedBytes);
            case ALONE -> LzmaStreams.aloneDecoder(source, decodedBytes);
            case XZ -> LzmaStreams.xzDecoder(source, decodedBytes);
            case AUTO ->
                    LzmaStreams.isXz(source)
                            ? LzmaStreams.xzDecoder(source, decodedBytes)
                            : LzmaStreams.aloneDecoder(source, decodedBytes);
        };
    }
}
