package io.zarrengine.zarr.codec.blosc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.ConformanceArchives;
import io.zarrengine.zarr.codec.JavaDecompressorTest;
import io.zarrengine.zarr.codec.zstd.LibzstdCompressor;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.shuffle.SlowShuffle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/** Blosc chunks that zarr-python wrote, and chunks of a small encoder of the tests. */
public final class BloscChunks {
    public static final int BYTE_SHUFFLED = 1;
    static final int STORED = 2;
    static final int RESERVED = 8;
    public static final int BIT_SHUFFLED = 4;
    public static final int NOT_SPLIT = 16;
    public static final int ZLIB = 3 << 5;
    private static final int SNAPPY = 2 << 5;
    private static final int ZSTD = 4 << 5;

    private static final int ZSTD_LEVEL = 3;

    /**
     * A chunk file.
     *
     * @param name the name of its case
     * @param file the path of the file
     * @param decodedBytes the decoded size
     */
    record Chunk(String name, Path file, int decodedBytes) {
        byte[] encoded() throws IOException {
            return Files.readAllBytes(file);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private BloscChunks() {}

    /** Returns the smallest chunk of each conformance case without shards. */
    static List<Chunk> ofConformanceCases() {
        List<Chunk> chunks = new ArrayList<>();
        try {
            for (Path folder : ConformanceArchives.unpacked("good")) {
                String name = folder.getFileName().toString();
                if (name.startsWith("v3-blosc-") && !name.endsWith("-sharded")) {
                    chunks.add(smallest(name, folder.resolve("store")));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return chunks;
    }

    private static Chunk smallest(String name, Path store) throws IOException {
        Path document = store.resolve("zarr.json");
        ArrayMetadata array =
                (ArrayMetadata)
                        MetadataReader.read(
                                name, Files.readAllBytes(document), DataTypes.builtIn());
        long decodedBytes = new ArrayPipeline(name, array).largest().decodedBytes();
        try (Stream<Path> files = Files.walk(store.resolve("c"))) {
            Path smallest =
                    files.filter(Files::isRegularFile)
                            .min(Comparator.comparingLong(file -> file.toFile().length()))
                            .orElseThrow();
            return new Chunk(name, smallest, (int) decodedBytes);
        }
    }

    /** Encodes with zlib, or stores what does not shrink, according to {@code flags}. */
    public static byte[] encode(byte[] sample, int flags, int typeBytes, int blockBytes) {
        return encode(sample, flags, typeBytes, blockBytes, BloscChunks::zlib);
    }

    /** Encodes with zstd. */
    public static byte[] encodeZstd(byte[] sample, int flags, int typeBytes, int blockBytes) {
        return encode(sample, flags | ZSTD, typeBytes, blockBytes, BloscChunks::zstd);
    }

    /** Encodes with Snappy. */
    public static byte[] encodeSnappy(byte[] sample, int flags, int typeBytes, int blockBytes) {
        return encode(
                sample,
                flags | SNAPPY,
                typeBytes,
                blockBytes,
                JavaDecompressorTest.Format.SNAPPY::encode);
    }

    private static byte[] encode(
            byte[] sample,
            int flags,
            int typeBytes,
            int blockBytes,
            UnaryOperator<byte[]> compressor) {
        int blocks = Math.ceilDiv(sample.length, blockBytes);
        ByteBuffer out = ByteBuffer.allocate(1000 + 2 * sample.length + 100 * blocks);
        out.order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 2).put((byte) 1).put((byte) flags).put((byte) typeBytes);
        out.putInt(sample.length).putInt(blockBytes).putInt(0);
        out.position(16 + 4 * blocks);
        for (int block = 0; block < blocks; block++) {
            int from = block * blockBytes;
            byte[] part =
                    Arrays.copyOfRange(sample, from, Math.min(from + blockBytes, sample.length));
            out.putInt(16 + 4 * block, out.position());
            putBlock(
                    out,
                    shuffled(part, flags, typeBytes),
                    splits(flags, typeBytes, part, blockBytes),
                    compressor);
        }
        out.putInt(12, out.position());
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Returns the block size of blosc.c, compute_blocksize: whole elements, at most all of them.
     */
    public static int blockBytes(int wanted, int typeBytes, int sampleBytes) {
        int most = sampleBytes < typeBytes ? sampleBytes : sampleBytes / typeBytes * typeBytes;
        return Math.min(wanted, most);
    }

    private static byte[] shuffled(byte[] block, int flags, int typeBytes) {
        if ((flags & BYTE_SHUFFLED) != 0) {
            return SlowShuffle.shuffleBytes(block, typeBytes);
        }
        return (flags & BIT_SHUFFLED) != 0 ? SlowShuffle.shuffleBits(block, typeBytes) : block;
    }

    /**
     * Returns the streams of a block as in blosc.c: whole blocks are split, into at most 16 streams
     * of at least 128 bytes each.
     */
    private static int splits(int flags, int typeBytes, byte[] block, int blockBytes) {
        boolean split =
                (flags & NOT_SPLIT) == 0
                        && block.length == blockBytes
                        && typeBytes <= 16
                        && blockBytes / typeBytes >= 128;
        return split ? typeBytes : 1;
    }

    private static void putBlock(
            ByteBuffer out, byte[] block, int splits, UnaryOperator<byte[]> compressor) {
        int streamBytes = block.length / splits;
        for (int split = 0; split < splits; split++) {
            byte[] stream =
                    Arrays.copyOfRange(block, split * streamBytes, (split + 1) * streamBytes);
            byte[] encoded = compressor.apply(stream);
            byte[] shorter = encoded.length < stream.length ? encoded : stream;
            out.putInt(shorter.length).put(shorter);
        }
    }

    private static byte[] zlib(byte[] stream) {
        byte[] encoded = new byte[stream.length + 100];
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(stream);
            deflater.finish();
            return Arrays.copyOf(encoded, deflater.deflate(encoded));
        }
    }

    private static byte[] zstd(byte[] stream) {
        try (Arena arena = Arena.ofConfined();
                LibzstdCompressor compressor = new LibzstdCompressor()) {
            MemorySegment decoded = arena.allocateFrom(JAVA_BYTE, stream);
            MemorySegment encoded = arena.allocate(stream.length + 1000L);
            long bytes = compressor.compress(decoded, encoded, ZSTD_LEVEL, false);
            return encoded.asSlice(0, bytes).toArray(JAVA_BYTE);
        } catch (CodecException e) {
            throw new AssertionError(e);
        }
    }

    /** Stores bytes uncompressed after a header. */
    public static byte[] store(byte[] sample, int typeBytes) {
        ByteBuffer out = ByteBuffer.allocate(16 + sample.length).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 2).put((byte) 1).put((byte) STORED).put((byte) typeBytes);
        out.putInt(sample.length).putInt(sample.length).putInt(16 + sample.length).put(sample);
        return out.array();
    }
}
