package io.zarrengine.zarr.reference;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/** Compression by the JDK and by libraries written in Java. */
record Compression(Format format) implements BytesStep {
    /** Limit above the decoded size of any chunk of these tests. */
    private static final int BYTES_MAX = 1 << 18;

    enum Format {
        GZIP,
        ZLIB,
        BZ2,
        LZMA,
        ZSTD,
        /** A block after its size, as numcodecs stores it. */
        LZ4,
        LZ4_BLOCK,
        SNAPPY;

        static Format of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    @Override
    public byte[] encode(byte[] decoded) {
        return switch (format) {
            case ZSTD -> compress(new ZstdJavaCompressor(), decoded);
            case LZ4 ->
                    new Bytes()
                            .addInt(decoded.length)
                            .add(compress(new Lz4JavaCompressor(), decoded))
                            .toArray();
            case LZ4_BLOCK -> compress(new Lz4JavaCompressor(), decoded);
            case SNAPPY -> compress(new SnappyJavaCompressor(), decoded);
            default -> stream(decoded);
        };
    }

    private static byte[] compress(Compressor compressor, byte[] decoded) {
        byte[] target = new byte[compressor.maxCompressedLength(decoded.length)];
        int bytes = compressor.compress(decoded, 0, decoded.length, target, 0, target.length);
        return Arrays.copyOf(target, bytes);
    }

    private byte[] stream(byte[] decoded) {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (OutputStream stream = encoder(target)) {
            stream.write(decoded);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toByteArray();
    }

    private OutputStream encoder(OutputStream target) throws IOException {
        return switch (format) {
            case GZIP -> new GZIPOutputStream(target);
            case ZLIB -> new DeflaterOutputStream(target);
            case BZ2 -> new BZip2CompressorOutputStream(target, 1);
            case LZMA -> new XZOutputStream(target, new LZMA2Options(0));
            default -> throw new IllegalStateException(format.name());
        };
    }

    @Override
    public byte[] decode(byte[] encoded) {
        return switch (format) {
            case ZSTD -> decompress(new ZstdJavaDecompressor(), encoded);
            case LZ4 -> {
                int bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt();
                byte[] block = Arrays.copyOfRange(encoded, 4, encoded.length);
                byte[] decoded = decompress(new Lz4JavaDecompressor(), block);
                if (decoded.length != bytes) {
                    throw new IllegalArgumentException("size");
                }
                yield decoded;
            }
            case LZ4_BLOCK -> decompress(new Lz4JavaDecompressor(), encoded);
            case SNAPPY -> decompress(new SnappyJavaDecompressor(), encoded);
            default -> {
                try (InputStream stream = decoder(new ByteArrayInputStream(encoded))) {
                    yield stream.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    private static byte[] decompress(Decompressor decompressor, byte[] encoded) {
        byte[] target = new byte[BYTES_MAX];
        int bytes = decompressor.decompress(encoded, 0, encoded.length, target, 0, BYTES_MAX);
        return Arrays.copyOf(target, bytes);
    }

    private InputStream decoder(InputStream source) throws IOException {
        return switch (format) {
            case GZIP -> new GZIPInputStream(source);
            case ZLIB -> new InflaterInputStream(source);
            case BZ2 -> new BZip2CompressorInputStream(source);
            case LZMA -> new XZInputStream(source);
            default -> throw new IllegalStateException(format.name());
        };
    }
}
