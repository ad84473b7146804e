package io.zarrengine.nvcomp;

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
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Sample chunks, and their encodings by other implementations. */
final class Samples {
    private Samples() {}

    /** Two fixed seeds, then a fresh one; {@code -Dio.zarrengine.seed=N} replays one. */
    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    /** Returns a random walk of 16-bit numbers, a constant, or noise. */
    static byte[] chunk(SplittableRandom random, int bytes) {
        byte[] chunk = new byte[bytes];
        switch (random.nextInt(4)) {
            case 0 -> random.nextBytes(chunk);
            case 1 -> Arrays.fill(chunk, (byte) random.nextInt());
            default -> walk(random, chunk);
        }
        return chunk;
    }

    static void walk(SplittableRandom random, byte[] chunk) {
        int value = random.nextInt();
        for (int i = 0; i + 1 < chunk.length; i += 2) {
            value += random.nextInt(9) - 4;
            chunk[i] = (byte) value;
            chunk[i + 1] = (byte) (value >> 8);
        }
    }

    static byte[] encoded(NvcompFormat format, byte[] chunk) {
        return switch (format) {
            case ZSTD -> encoded(new ZstdJavaCompressor(), chunk);
            case LZ4 -> encoded(new Lz4JavaCompressor(), chunk);
            case SNAPPY -> encoded(new SnappyJavaCompressor(), chunk);
            case DEFLATE -> deflated(chunk, true);
            case GZIP -> gzipped(chunk);
            case GDEFLATE, BITCOMP, CASCADED -> throw new IllegalArgumentException(format + "");
        };
    }

    static byte[] encoded(Compressor compressor, byte[] chunk) {
        byte[] encoded = new byte[compressor.maxCompressedLength(chunk.length)];
        int bytes = compressor.compress(chunk, 0, chunk.length, encoded, 0, encoded.length);
        return Arrays.copyOf(encoded, bytes);
    }

    static byte[] deflated(byte[] chunk, boolean isRaw) {
        try (Deflater deflater = new Deflater(6, isRaw)) {
            deflater.setInput(chunk);
            deflater.finish();
            byte[] encoded = new byte[chunk.length + chunk.length / 100 + 100];
            return Arrays.copyOf(encoded, deflater.deflate(encoded));
        }
    }

    static byte[] gzipped(byte[] chunk) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(encoded)) {
            out.write(chunk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return encoded.toByteArray();
    }

    /** Decodes with another implementation. */
    static byte[] decoded(NvcompFormat format, byte[] encoded, int bytes) throws IOException {
        return switch (format) {
            case ZSTD -> decoded(new ZstdJavaDecompressor(), encoded, bytes);
            case LZ4 -> decoded(new Lz4JavaDecompressor(), encoded, bytes);
            case SNAPPY -> decoded(new SnappyJavaDecompressor(), encoded, bytes);
            case DEFLATE -> {
                try (Inflater inflater = new Inflater(true);
                        InputStream in =
                                new InflaterInputStream(
                                        new ByteArrayInputStream(encoded), inflater)) {
                    yield in.readAllBytes();
                }
            }
            case GZIP -> new GZIPInputStream(new ByteArrayInputStream(encoded)).readAllBytes();
            case GDEFLATE, BITCOMP, CASCADED -> throw new IllegalArgumentException(format + "");
        };
    }

    private static byte[] decoded(Decompressor decompressor, byte[] encoded, int bytes) {
        byte[] decoded = new byte[bytes];
        int length = decompressor.decompress(encoded, 0, encoded.length, decoded, 0, bytes);
        return Arrays.copyOf(decoded, length);
    }
}
