package io.zarrengine.zarr;

import io.zarrengine.zarr.codec.blosc.BloscChunks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Arrays of int32 in blosc chunks. A chunk has several blocks, some of whose streams are stored
 * uncompressed.
 */
final class BloscArrays {
    static final int CHUNKS = 20;

    private static final int ELEMENTS = 5000;
    private static final int BLOCK_BYTES = 8192;
    private static final int LARGE_ELEMENTS = 1 << 18;
    private static final int LARGE_BLOCK_BYTES = 64 << 10;

    private BloscArrays() {}

    /** Writes an array in zlib to a folder. Returns its elements. */
    static byte[] write(Path folder) throws IOException {
        writeMetadata(folder, CHUNKS, ELEMENTS, BLOCK_BYTES, "zlib");
        int flags = BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED;
        return writeChunks(
                folder,
                CHUNKS,
                ELEMENTS,
                chunk -> BloscChunks.encode(chunk, flags, Integer.BYTES, BLOCK_BYTES));
    }

    /** Writes an array in Snappy. A block has one stream, or one for each byte of an element. */
    static byte[] writeSnappy(Path folder, boolean isSplit) throws IOException {
        writeMetadata(folder, CHUNKS, ELEMENTS, BLOCK_BYTES, "snappy");
        int flags = BloscChunks.BYTE_SHUFFLED | (isSplit ? 0 : BloscChunks.NOT_SPLIT);
        return writeChunks(
                folder,
                CHUNKS,
                ELEMENTS,
                chunk -> BloscChunks.encodeSnappy(chunk, flags, Integer.BYTES, BLOCK_BYTES));
    }

    /**
     * Writes an array of equal chunks of 1 MiB, each of 16 blocks that are not split. Returns a
     * chunk.
     */
    static byte[] writeLarge(Path folder, int chunks) throws IOException {
        writeMetadata(folder, chunks, LARGE_ELEMENTS, LARGE_BLOCK_BYTES, "zlib");
        byte[] elements = elements(new SplittableRandom(1), LARGE_ELEMENTS);
        int flags = BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED | BloscChunks.NOT_SPLIT;
        byte[] encoded = BloscChunks.encode(elements, flags, Integer.BYTES, LARGE_BLOCK_BYTES);
        for (int chunk = 0; chunk < chunks; chunk++) {
            Files.write(folder.resolve("c/" + chunk), encoded);
        }
        return elements;
    }

    /**
     * Writes an array in zstd, in chunks of 1 MiB that differ.
     *
     * @param blockBytes the bytes of a block; blocks are not split
     * @return its elements
     */
    static byte[] writeLargeZstd(Path folder, int chunks, int blockBytes) throws IOException {
        writeMetadata(folder, chunks, LARGE_ELEMENTS, blockBytes, "zstd");
        int flags = BloscChunks.BYTE_SHUFFLED | BloscChunks.NOT_SPLIT;
        return writeChunks(
                folder,
                chunks,
                LARGE_ELEMENTS,
                chunk -> BloscChunks.encodeZstd(chunk, flags, Integer.BYTES, blockBytes));
    }

    /** Writes chunks that differ. Returns the elements of all. */
    private static byte[] writeChunks(
            Path folder, int chunks, int elementsEach, UnaryOperator<byte[]> encoder)
            throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int chunk = 0; chunk < chunks; chunk++) {
            byte[] elements = elements(new SplittableRandom(chunk), elementsEach);
            Files.write(folder.resolve("c/" + chunk), encoder.apply(elements));
            all.write(elements);
        }
        return all.toByteArray();
    }

    private static void writeMetadata(
            Path folder, int chunks, int elements, int blockBytes, String compressor)
            throws IOException {
        Files.createDirectories(folder.resolve("c"));
        Files.writeString(
                folder.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [%d], "data_type": "int32",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d]}},
                 "chunk_key_encoding": "default", "fill_value": 0, "codecs": [
                    {"name": "bytes", "configuration": {"endian": "little"}},
                    {"name": "blosc", "configuration": {"cname": "%s", "clevel": 5,
                        "shuffle": "shuffle", "typesize": 4, "blocksize": %d}}]}
                """
                        .formatted(chunks * elements, elements, compressor, blockBytes));
    }

    /** Changes the checksum of each chunk's last stream. Decoders compare it only on request. */
    static void breakChecksums(Path folder) throws IOException {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            Path file = folder.resolve("c/" + chunk);
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1;
            Files.write(file, bytes);
        }
    }

    /** Returns a random walk: its low bytes are stored, its high bytes nearly vanish. */
    private static byte[] elements(SplittableRandom random, int count) {
        ByteBuffer elements =
                ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int value = random.nextInt(); elements.hasRemaining(); elements.putInt(value)) {
            value += random.nextInt(2001) - 1000;
        }
        return elements.array();
    }
}
