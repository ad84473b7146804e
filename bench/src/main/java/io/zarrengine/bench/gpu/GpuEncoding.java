package io.zarrengine.bench.gpu;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * The encoding of inner chunks: formats that a GPU decodes, and one that it only copies. Numbers
 * have 16 bits, except in one array of 32-bit floats. Another array has floats that are stored as
 * 16-bit numbers.
 */
enum GpuEncoding {
    ZSTD(NvcompFormat.ZSTD),
    SHUFFLE_ZSTD(NvcompFormat.ZSTD),
    SHUFFLE_FLOAT_ZSTD(NvcompFormat.ZSTD),
    BLOSC_ZSTD(NvcompFormat.ZSTD, 64, 32 << 10),
    LARGE_BLOSC_ZSTD(NvcompFormat.ZSTD, 512, 128 << 10), // the block size that c-blosc chooses
    BLOSC_SNAPPY(NvcompFormat.SNAPPY, 64, 32 << 10), // Zarr has Snappy only inside blosc.
    SHUFFLE_LZ4(NvcompFormat.LZ4),
    SCALED_ZSTD(NvcompFormat.ZSTD),
    GZIP(NvcompFormat.GZIP),
    NONE(null);

    private static final double SCALE = 100;
    private static final double OFFSET = 273.15;
    private static final int LZ4_SIZE_BYTES = Integer.BYTES; // numcodecs: the decoded size

    private static final int ZSTD_DESCRIPTOR = 4; // RFC 8878, 3.1.1.1
    private static final int ZSTD_CHECKSUM_FLAG = 0x04;
    private static final int ZSTD_CHECKSUM_BYTES = 4;

    private static final int BLOSC_HEADER_BYTES = 16;
    private static final byte BLOSC_VERSION = 2;
    private static final byte BLOSC_FORMAT_VERSION = 1; // of zstd and Snappy
    private static final int BLOSC_SHUFFLED_NOT_SPLIT = 0x1 | 0x10;
    private static final int BLOSC_FORMAT_SHIFT = 5;
    private static final int BLOSC_SNAPPY_FORMAT = 2;
    private static final int BLOSC_ZSTD_FORMAT = 4;
    private static final int INNER_ROWS = 64;

    private final NvcompFormat format; // null: nothing to decode
    private final int innerRows;
    private final int blockBytes; // of blosc; 0: not blosc

    GpuEncoding(NvcompFormat format) {
        this(format, INNER_ROWS, 0);
    }

    GpuEncoding(NvcompFormat format, int innerRows, int blockBytes) {
        this.format = format;
        this.innerRows = innerRows;
        this.blockBytes = blockBytes;
    }

    /** Returns the format; null if there is nothing to decode. */
    NvcompFormat format() {
        return format;
    }

    /** Returns the length of inner chunks in the two middle dimensions. */
    int innerRows() {
        return innerRows;
    }

    /** Returns its name in the report and of its array's folder. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isShuffled() {
        return switch (this) {
            case SHUFFLE_ZSTD, SHUFFLE_FLOAT_ZSTD, SHUFFLE_LZ4 -> true;
            default -> isBlosc();
        };
    }

    boolean isBlosc() {
        return blockBytes > 0;
    }

    /**
     * Returns whether its chunks have a checksum that only the CPU checks, so that the CPU decodes
     * them.
     */
    boolean holdsChecksums() {
        return this == GZIP;
    }

    /**
     * Returns the target share of a steady stream, relative to a pipeline's limit: reading, copying
     * or decoding.
     */
    double steadyShare() {
        return switch (format) {
            case null -> 0.95; // nothing to decode
            case ZSTD -> 0.9;
            default -> 0.85;
        };
    }

    /**
     * Returns the target of one read, relative to one pass of a pipeline without checks and plans;
     * NaN: none.
     */
    double onceShare() {
        return format == NvcompFormat.ZSTD ? 1.2 : Double.NaN;
    }

    /** Returns the type that the engine delivers. */
    NumericType type() {
        return this == SCALED_ZSTD ? NumericType.FLOAT32 : storedType();
    }

    /** Returns the type in the inner chunks. */
    NumericType storedType() {
        return this == SHUFFLE_FLOAT_ZSTD ? NumericType.FLOAT32 : NumericType.INT16;
    }

    private int storedBytes() {
        return storedType().byteSize();
    }

    /** Returns the delivered bytes for each decoded byte. */
    int widening() {
        return type().byteSize() / storedBytes();
    }

    /**
     * Returns the filters before the shards, which make 16-bit numbers of the elements: kelvin in
     * hundredths.
     */
    List<CodecSpec> filters() {
        return this == SCALED_ZSTD
                ? List.of(
                        new CodecSpec("scale_offset", Map.of("scale", SCALE, "offset", OFFSET)),
                        new CodecSpec("cast_value", Map.of("data_type", "int16")))
                : List.of();
    }

    /** Returns the elements that the engine delivers for a chunk. */
    byte[] delivered(byte[] chunk) {
        if (this != SCALED_ZSTD) {
            return chunk;
        }
        ByteBuffer stored = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer floats = ByteBuffer.allocate(widening() * chunk.length);
        floats.order(ByteOrder.nativeOrder());
        while (stored.hasRemaining()) {
            floats.putFloat((float) (stored.getShort() / SCALE) + (float) OFFSET);
        }
        return floats.array();
    }

    CodecSpec[] codecs() {
        CodecSpec shuffle =
                new CodecSpec("numcodecs.shuffle", Map.of("elementsize", (long) storedBytes()));
        return switch (this) {
            case ZSTD, SCALED_ZSTD -> new CodecSpec[] {CodecSpec.bytes(), CodecSpec.zstd(3)};
            case SHUFFLE_ZSTD, SHUFFLE_FLOAT_ZSTD ->
                    new CodecSpec[] {CodecSpec.bytes(), shuffle, CodecSpec.zstd(3)};
            case BLOSC_ZSTD, LARGE_BLOSC_ZSTD, BLOSC_SNAPPY ->
                    new CodecSpec[] {CodecSpec.bytes(), blosc()};
            case SHUFFLE_LZ4 ->
                    new CodecSpec[] {
                        CodecSpec.bytes(),
                        shuffle,
                        new CodecSpec("numcodecs.lz4", Map.of("acceleration", 1L))
                    };
            case GZIP -> new CodecSpec[] {CodecSpec.bytes(), CodecSpec.gzip(6)};
            case NONE -> new CodecSpec[] {CodecSpec.bytes()};
        };
    }

    private CodecSpec blosc() {
        return new CodecSpec(
                "blosc",
                Map.of(
                        "cname",
                        format.name().toLowerCase(Locale.ROOT),
                        "clevel",
                        3L,
                        "shuffle",
                        "shuffle",
                        "typesize",
                        (long) storedBytes(),
                        "blocksize",
                        (long) blockBytes));
    }

    /** Returns the compressor's input for a chunk, which a decoder on the device restores. */
    byte[] beforeCompression(byte[] chunk) {
        return switch (this) {
            case ZSTD, SCALED_ZSTD, GZIP, NONE -> chunk;
            case SHUFFLE_ZSTD, SHUFFLE_FLOAT_ZSTD, SHUFFLE_LZ4 -> shuffled(chunk);
            case BLOSC_ZSTD, LARGE_BLOSC_ZSTD, BLOSC_SNAPPY -> {
                ByteBuffer blocks = ByteBuffer.allocate(chunk.length);
                for (int at = 0; at < chunk.length; at += blockBytes) {
                    int end = Math.min(at + blockBytes, chunk.length);
                    blocks.put(shuffled(Arrays.copyOfRange(chunk, at, end)));
                }
                yield blocks.array();
            }
        };
    }

    byte[] encode(byte[] chunk) {
        byte[] plain = beforeCompression(chunk);
        return switch (this) {
            case ZSTD, SCALED_ZSTD, SHUFFLE_ZSTD, SHUFFLE_FLOAT_ZSTD -> zstdFrame(plain);
            case BLOSC_ZSTD, LARGE_BLOSC_ZSTD, BLOSC_SNAPPY -> bloscChunk(plain);
            case SHUFFLE_LZ4 -> lz4(plain);
            case GZIP -> gzip(plain);
            case NONE -> plain;
        };
    }

    private byte[] shuffled(byte[] elements) {
        byte[] shuffled = new byte[elements.length];
        int count = elements.length / storedBytes();
        for (int i = 0; i < elements.length; i++) {
            shuffled[i % storedBytes() * count + i / storedBytes()] = elements[i];
        }
        return shuffled;
    }

    private static byte[] compressed(Compressor compressor, byte[] plain) {
        byte[] encoded = new byte[compressor.maxCompressedLength(plain.length)];
        int bytes = compressor.compress(plain, 0, plain.length, encoded, 0, encoded.length);
        return Arrays.copyOf(encoded, bytes);
    }

    /**
     * Returns a frame without a checksum. A checksum would send it to the CPU, and Zarr's writers
     * leave it out.
     */
    private static byte[] zstdFrame(byte[] plain) {
        byte[] frame = compressed(new ZstdJavaCompressor(), plain);
        if ((frame[ZSTD_DESCRIPTOR] & ZSTD_CHECKSUM_FLAG) == 0) {
            return frame;
        }
        frame[ZSTD_DESCRIPTOR] &= ~ZSTD_CHECKSUM_FLAG;
        return Arrays.copyOf(frame, frame.length - ZSTD_CHECKSUM_BYTES);
    }

    private static byte[] lz4(byte[] plain) {
        byte[] block = compressed(new Lz4JavaCompressor(), plain);
        byte[] sized = new byte[LZ4_SIZE_BYTES + block.length];
        ByteBuffer.wrap(sized).order(ByteOrder.LITTLE_ENDIAN).putInt(plain.length).put(block);
        return sized;
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(encoded)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return encoded.toByteArray();
    }

    /**
     * Returns a chunk: header, offsets of the blocks, and each block's length and compressed bytes.
     */
    private byte[] bloscChunk(byte[] shuffledBlocks) {
        boolean isSnappy = format == NvcompFormat.SNAPPY;
        int blocks = Math.ceilDiv(shuffledBlocks.length, blockBytes);
        byte[] bytes = new byte[BLOSC_HEADER_BYTES + 2 * shuffledBlocks.length + 1024];
        ByteBuffer chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        chunk.position(BLOSC_HEADER_BYTES + Integer.BYTES * blocks);
        for (int i = 0; i < blocks; i++) {
            int from = i * blockBytes;
            int to = Math.min(from + blockBytes, shuffledBlocks.length);
            byte[] block = Arrays.copyOfRange(shuffledBlocks, from, to);
            byte[] stream =
                    isSnappy ? compressed(new SnappyJavaCompressor(), block) : zstdFrame(block);
            chunk.putInt(BLOSC_HEADER_BYTES + Integer.BYTES * i, chunk.position());
            chunk.putInt(stream.length).put(stream);
        }
        int code = isSnappy ? BLOSC_SNAPPY_FORMAT : BLOSC_ZSTD_FORMAT;
        byte flags = (byte) (BLOSC_SHUFFLED_NOT_SPLIT | code << BLOSC_FORMAT_SHIFT);
        byte typeSize = (byte) storedBytes();
        chunk.put(0, new byte[] {BLOSC_VERSION, BLOSC_FORMAT_VERSION, flags, typeSize});
        chunk.putInt(4, shuffledBlocks.length);
        chunk.putInt(8, Math.min(blockBytes, shuffledBlocks.length));
        chunk.putInt(12, chunk.position());
        return Arrays.copyOf(bytes, chunk.position());
    }
}
