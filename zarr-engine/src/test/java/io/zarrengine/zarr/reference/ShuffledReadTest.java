package io.zarrengine.zarr.reference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Crops with long rows from shuffled chunks, whose bytes are joined in the target. Fails if the
 * result differs from the written elements. Blocks end in the middle of rows; the lowest byte of
 * each element is noise that does not compress.
 */
final class ShuffledReadTest {
    private static final int ROWS = 24;
    private static final int COLUMNS = 700;
    private static final int[] CHUNK = {12, 350};

    @TempDir private Path folder;

    /** Returns the element at an index. Without its lowest byte, it grows slowly. */
    private static byte[] element(int index, int bytes) {
        byte[] element = new byte[bytes];
        element[0] = (byte) new SplittableRandom(index).nextInt();
        for (int b = 1; b < bytes; b++) {
            element[b] = (byte) (index / (100 * b));
        }
        return element;
    }

    private static byte[] chunk(int row, int column, int bytes) {
        Bytes chunk = new Bytes();
        for (int i = 0; i < CHUNK[0]; i++) {
            for (int j = 0; j < CHUNK[1]; j++) {
                int index = (row * CHUNK[0] + i) * COLUMNS + column * CHUNK[1] + j;
                chunk.add(element(index, bytes));
            }
        }
        return chunk.toArray();
    }

    private void write(int bytes, String codec, UnaryOperator<byte[]> encoder) throws IOException {
        Files.writeString(
                folder.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [%d, %d], "data_type": "uint%d",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%d, %d]}},
                 "chunk_key_encoding": "default", "fill_value": 0, "codecs": [
                    {"name": "bytes", "configuration": {"endian": "little"}}, %s]}
                """
                        .formatted(ROWS, COLUMNS, 8 * bytes, CHUNK[0], CHUNK[1], codec));
        for (int row = 0; row < ROWS / CHUNK[0]; row++) {
            for (int column = 0; column < COLUMNS / CHUNK[1]; column++) {
                Path file = folder.resolve("c/" + row + "/" + column);
                Files.createDirectories(file.getParent());
                Files.write(file, encoder.apply(chunk(row, column, bytes)));
            }
        }
    }

    private static String blosc(int typeBytes, String codec) {
        return """
        {"name": "blosc", "configuration": {"cname": "%s", "clevel": 5,
         "shuffle": "shuffle", "typesize": %d, "blocksize": 0}}
        """
                .formatted(codec, typeBytes);
    }

    private static void assertReadsCrops(ZarrArray array, int bytes, SplittableRandom random) {
        for (int round = 0; round < 40; round++) {
            int top = random.nextInt(ROWS);
            int bottom = top + 1 + random.nextInt(ROWS - top);
            int left = random.nextInt(COLUMNS);
            int right = left + 1 + random.nextInt(COLUMNS - left);
            Bytes expected = new Bytes();
            for (int row = top; row < bottom; row++) {
                for (int column = left; column < right; column++) {
                    expected.add(element(row * COLUMNS + column, bytes));
                }
            }
            String box = top + ":" + bottom + ", " + left + ":" + right;
            try (HostTensor crop = array.read(Selection.of(box))) {
                assertArrayEquals(expected.toArray(), crop.segment().toArray(JAVA_BYTE), box);
            }
        }
    }

    @ParameterizedTest(name = "elements of {0}, shuffled as {1}, blocks of {2}, {3}")
    @CsvSource({
        "2, 2, 1024, 1", "2, 2, 600, 1", "2, 2, 100000, 1", "2, 2, 600, 3", "2, 2, 0, 1",
        "4, 4, 2048, 1", "4, 4, 1000, 4", "4, 2, 2000, 1", "4, 1, 2000, 1", "4, 3, 2400, 3",
        "8, 8, 5000, 1", "8, 4, 5000, 4", "8, 8, 128, 2", "1, 2, 700, 1", "8, 16, 4096, 1"
    })
    void bloscCrops(int bytes, int typeBytes, int blockBytes, int codec) throws IOException {
        write(bytes, blosc(typeBytes, "lz4"), new Blosc(codec, 1, typeBytes, blockBytes)::encode);
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder)) {
            assertReadsCrops(array, bytes, new SplittableRandom(blockBytes));
        }
    }

    /**
     * c-blosc makes no such blocks, but a header may claim them: two blocks then share an element.
     */
    @Test
    void readsBlocksThatSplitAnElement() throws IOException {
        write(4, blosc(4, "zlib"), decoded -> shuffledBlocks(decoded, 1502));
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder)) {
            assertReadsCrops(array, 4, new SplittableRandom(1502));
        }
    }

    /** Returns blocks of one stream each, none of which is compressed. */
    private static byte[] shuffledBlocks(byte[] decoded, int blockBytes) {
        int blocks = Math.ceilDiv(decoded.length, blockBytes);
        Bytes offsets = new Bytes();
        Bytes streams = new Bytes();
        for (int at = 0; at < decoded.length; at += blockBytes) {
            int end = Math.min(at + blockBytes, decoded.length);
            byte[] block = Arrays.copyOfRange(decoded, at, end);
            offsets.addInt(16 + 4 * blocks + streams.size());
            streams.addInt(block.length).add(new BytesStep.Shuffle(4).encode(block));
        }
        int zlibShuffledNotSplit = 3 << 5 | 16 | 1;
        return new Bytes()
                .add(new byte[] {2, 1, (byte) zlibShuffledNotSplit, 4})
                .addInt(decoded.length)
                .addInt(blockBytes)
                .addInt(16 + offsets.size() + streams.size())
                .add(offsets.toArray())
                .add(streams.toArray())
                .toArray();
    }

    @ParameterizedTest(name = "elements of {0}, shuffled as {1}")
    @CsvSource({"2, 2", "4, 4", "8, 8", "8, 2", "4, 1", "4, 3"})
    void cropsOfTheShuffleCodec(int bytes, int typeBytes) throws IOException {
        String codec =
                """
                {"name": "numcodecs.shuffle", "configuration": {"elementsize": %d}},
                {"name": "gzip", "configuration": {"level": 1}}
                """
                        .formatted(typeBytes);
        BytesStep gzip = new Compression(Compression.Format.GZIP);
        write(
                bytes,
                codec,
                decoded -> gzip.encode(new BytesStep.Shuffle(typeBytes).encode(decoded)));
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder)) {
            assertReadsCrops(array, bytes, new SplittableRandom(typeBytes));
        }
    }

    /** Two blocks are wanted in part: each is decoded up to the last wanted element. */
    @Test
    void decodesOnlyWantedBlocks() throws IOException {
        write(2, blosc(2, "lz4"), new Blosc(1, 1, 2, 1424)::encode);
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                ZarrArray array = engine.openArray(folder)) {
            array.read(Selection.of("3:5, 0:300")).close();
            long decoded = engine.metrics().bytesDecoded();
            assertEquals(2, Math.ceilDiv(decoded, 1424), decoded + " bytes");
            assertEquals(2 * 2 * 300, engine.metrics().bytesDelivered());
        }
    }

    /** A chunk is read or refused, whatever its header and the sizes of its streams claim. */
    @Test
    void readsOrRefusesADamagedChunk() throws IOException {
        write(4, blosc(4, "lz4"), new Blosc(1, 1, 4, 2000)::encode);
        Path file = folder.resolve("c/0/0");
        byte[] chunk = Files.readAllBytes(file);
        int refused = 0;
        try (ZarrEngine engine = ZarrEngine.open()) {
            for (int at = 0; at < 80; at++) {
                byte[] damaged = Arrays.copyOf(chunk, chunk.length - at % 2);
                damaged[at] ^= (byte) (at % 3 == 0 ? 0x80 : 0x11);
                Files.write(file, damaged);
                try (ZarrArray array = engine.openArray(folder)) {
                    array.read(Selection.of("0:12, 0:340")).close();
                } catch (CorruptChunkException e) {
                    refused++;
                }
            }
            assertTrue(refused > 50, refused + " of 80 are refused");
            Files.write(file, Arrays.copyOf(chunk, 50));
            try (ZarrArray array = engine.openArray(folder)) {
                Selection crop = Selection.of("0:2, 0:340");
                assertThrows(CorruptChunkException.class, () -> array.read(crop).close());
            }
        }
    }
}
