package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.zarrengine.cuda.Shuffle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Divides blosc chunks of c-blosc, and of a small encoder in this test, into streams. */
final class BloscFrameTest {
    private static final int NOT_SPLIT = 0x10;
    private static final NvcompFormat[] FORMATS = {
        null, NvcompFormat.LZ4, NvcompFormat.SNAPPY, NvcompFormat.DEFLATE, NvcompFormat.ZSTD
    };

    /**
     * Every chunk of zarr-python has streams that each decode to their size and together form the
     * chunk.
     */
    @Test
    void chunksOfCBloscDecode() throws IOException {
        int frames = 0;
        for (Map.Entry<String, byte[]> file : chunkFiles().entrySet()) {
            MemorySegment chunk = MemorySegment.ofArray(file.getValue());
            BloscFrame frame = BloscFrame.read(chunk);
            if (frame.format().isEmpty() && !frame.isStored()) {
                String refusal = BloscFrame.refusal(chunk, decodedBytes(chunk)).orElse("passed");
                assertTrue(refusal.contains("inner format 0"), file.getKey() + ": " + refusal);
            } else {
                assertEquals(
                        Optional.empty(),
                        BloscFrame.refusal(chunk, decodedBytes(chunk)),
                        file::getKey);
                assertEquals(decodedBytes(chunk), decode(chunk).length);
                frames++;
            }
        }
        assertTrue(frames >= 10, frames + " chunks");
    }

    private static Map<String, byte[]> chunkFiles() throws IOException {
        Path cases = Path.of(System.getProperty("io.zarrengine.project", ".."), "conformance/good");
        assumeTrue(Files.isDirectory(cases), () -> cases + " is not there");
        Map<String, byte[]> chunks = new TreeMap<>();
        try (Stream<Path> archives = Files.list(cases)) {
            for (Path archive : archives.toList()) {
                String name = archive.getFileName().toString();
                if (name.startsWith("v3-blosc-") && !name.contains("-sharded")) {
                    addChunks(chunks, archive);
                }
            }
        }
        return chunks;
    }

    private static void addChunks(Map<String, byte[]> chunks, Path archive) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().startsWith("store/c/")) {
                    byte[] chunk = zip.getInputStream(entry).readAllBytes();
                    chunks.put(archive + "/" + entry.getName(), chunk);
                }
            }
        }
    }

    private static int decodedBytes(MemorySegment chunk) {
        return chunk.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void whatOurEncoderWroteDecodes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            byte[] sample = Samples.chunk(random, 1 + random.nextInt(9000));
            byte[] chunk = encode(random, sample);
            MemorySegment memory = MemorySegment.ofArray(chunk);
            assertEquals(Optional.empty(), BloscFrame.refusal(memory, sample.length));
            assertArrayEquals(sample, decode(memory));
        }
    }

    /** c-blosc and the CPU's decoder refuse it too; the latter reports the error. */
    @Test
    void refusesAHeaderThatCBloscRefuses() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] sample = Samples.chunk(random, 2000);
        byte[] good = encode(random, sample);
        while ((good[2] & 2) != 0) { // stored: the CPU copies it
            good = encode(random, sample);
        }
        assertEquals(Optional.empty(), BloscFrame.refusal(MemorySegment.ofArray(good), 2000));
        int[][] changes = {{0, 1}, {0, 3}, {1, 2}, {2, good[2] | 8}, {3, 0}};
        for (int[] change : changes) {
            byte[] bad = good.clone();
            bad[change[0]] = (byte) change[1];
            assertTrue(
                    BloscFrame.refusal(MemorySegment.ofArray(bad), 2000).isPresent(),
                    () -> "byte " + change[0]);
        }
        for (int blockBytes : new int[] {0, -1, 2001, 4000}) {
            byte[] bad = good.clone();
            ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(8, blockBytes);
            assertTrue(
                    BloscFrame.refusal(MemorySegment.ofArray(bad), 2000).isPresent(),
                    () -> "blocks of " + blockBytes);
        }
    }

    /** Every truncation is detected. No damage leads to reads or streams outside the chunk. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.nvcomp.Samples#seeds")
    void damageIsSeenOrStaysInside(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2000; round++) {
            byte[] sample = Samples.chunk(random, 1 + random.nextInt(3000));
            byte[] chunk = encode(random, sample);
            MemorySegment cut =
                    MemorySegment.ofArray(Arrays.copyOf(chunk, random.nextInt(chunk.length)));
            assertTrue(BloscFrame.refusal(cut, sample.length).isPresent());
            chunk[random.nextInt(Math.min(60, chunk.length))] ^= (byte) (1 << random.nextInt(8));
            MemorySegment damaged = MemorySegment.ofArray(chunk);
            Optional<String> refusal = BloscFrame.refusal(damaged, sample.length);
            assertNotNull(refusal);
            if (refusal.isEmpty()) {
                assertStreamsLieInside(damaged, sample.length);
            }
        }
    }

    private static void assertStreamsLieInside(MemorySegment chunk, long decodedBytes) {
        long[] end = {0};
        BloscFrame.read(chunk)
                .streams((from, bytes, to, decoded, isStored) -> {
                    assertTrue(from >= 16 && bytes > 0 && from + bytes <= chunk.byteSize());
                    assertEquals(end[0], to, "gapless");
                    end[0] += decoded;
                });
        assertEquals(decodedBytes, end[0]);
    }

    @Test
    void theHeaderSaysHowItIsShuffled() {
        assertEquals(Optional.of(Shuffle.BYTES), header(0x21, 4).shuffle());
        assertEquals(Optional.empty(), header(0x21, 1).shuffle());
        assertEquals(Optional.of(Shuffle.BITS), header(0x24, 1).shuffle());
        assertEquals(Optional.empty(), header(0x20, 4).shuffle());
        assertEquals(Optional.empty(), header(0x23, 4).shuffle());
        assertEquals(Optional.of(NvcompFormat.LZ4), header(0x20, 4).format());
        assertEquals(Optional.empty(), header(0x01, 4).format());
        assertEquals(4, header(0x21, 4).typeBytes());
        assertEquals(300, header(0x21, 4).blockBytes());
    }

    private static BloscFrame header(int flags, int typeBytes) {
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 2).put((byte) 1).put((byte) flags).put((byte) typeBytes);
        header.putInt(1000).putInt(300).putInt(16);
        return BloscFrame.read(MemorySegment.ofArray(header.array()));
    }

    /** Decodes streams with other implementations and joins them; the result is still shuffled. */
    private static byte[] decode(MemorySegment chunk) {
        byte[] decoded = new byte[decodedBytes(chunk)];
        BloscFrame frame = BloscFrame.read(chunk);
        byte[] bytes = chunk.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        frame.streams((from, encodedBytes, to, decodedBytes, isStored) -> {
            int source = (int) from;
            int target = (int) to;
            if (isStored) {
                System.arraycopy(bytes, source, decoded, target, decodedBytes);
            } else {
                byte[] stream = Arrays.copyOfRange(bytes, source, source + encodedBytes);
                byte[] plain = decode(frame.format().orElseThrow(), stream, decodedBytes);
                System.arraycopy(plain, 0, decoded, target, decodedBytes);
            }
        });
        return decoded;
    }

    private static byte[] decode(NvcompFormat format, byte[] stream, int decodedBytes) {
        byte[] plain = new byte[decodedBytes];
        int decoded =
                switch (format) {
                    case LZ4 ->
                            new Lz4JavaDecompressor()
                                    .decompress(stream, 0, stream.length, plain, 0, decodedBytes);
                    case SNAPPY ->
                            new SnappyJavaDecompressor()
                                    .decompress(stream, 0, stream.length, plain, 0, decodedBytes);
                    case ZSTD ->
                            new ZstdJavaDecompressor()
                                    .decompress(stream, 0, stream.length, plain, 0, decodedBytes);
                    default -> inflate(stream, plain);
                };
        assertEquals(decodedBytes, decoded);
        return plain;
    }

    private static int inflate(byte[] stream, byte[] plain) {
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(stream);
            return inflater.inflate(plain);
        } catch (DataFormatException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    /** Encodes with random blocks, splits and formats. Streams that do not shrink are stored. */
    private static byte[] encode(SplittableRandom random, byte[] sample) {
        int format = 1 + random.nextInt(4);
        int typeBytes = 1 + random.nextInt(20);
        int flags = format << 5 | (random.nextBoolean() ? NOT_SPLIT : 0);
        int wanted = Math.max(1, (1 + random.nextInt(5000)) / typeBytes) * typeBytes;
        boolean small = sample.length < typeBytes; // blosc.c, compute_blocksize: whole elements
        int blockBytes =
                Math.min(wanted, small ? sample.length : sample.length / typeBytes * typeBytes);
        int blocks = Math.ceilDiv(sample.length, blockBytes);
        List<byte[]> parts = new ArrayList<>();
        ByteBuffer head = ByteBuffer.allocate(16 + 4 * blocks).order(ByteOrder.LITTLE_ENDIAN);
        head.put((byte) 2).put((byte) 1).put((byte) flags).put((byte) typeBytes);
        head.putInt(sample.length).putInt(blockBytes).putInt(0);
        int at = head.capacity();
        for (int from = 0; from < sample.length; from += blockBytes) {
            head.putInt(at);
            byte[] block =
                    Arrays.copyOfRange(sample, from, Math.min(from + blockBytes, sample.length));
            boolean isSplit =
                    (flags & NOT_SPLIT) == 0
                            && block.length == blockBytes
                            && typeBytes <= 16
                            && blockBytes / typeBytes >= 128;
            int streamBytes = block.length / (isSplit ? typeBytes : 1);
            for (int begin = 0; begin < block.length; begin += streamBytes) {
                byte[] stream = Arrays.copyOfRange(block, begin, begin + streamBytes);
                byte[] part = stream(FORMATS[format], stream);
                parts.add(part);
                at += part.length;
            }
        }
        ByteBuffer chunk = ByteBuffer.allocate(at).order(ByteOrder.LITTLE_ENDIAN).put(head.flip());
        parts.forEach(chunk::put);
        return chunk.putInt(12, at).array();
    }

    private static byte[] stream(NvcompFormat format, byte[] stream) {
        byte[] encoded =
                format == NvcompFormat.DEFLATE
                        ? Samples.deflated(stream, false)
                        : Samples.encoded(format, stream);
        byte[] kept = encoded.length < stream.length ? encoded : stream;
        return ByteBuffer.allocate(4 + kept.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kept.length)
                .put(kept)
                .array();
    }
}
