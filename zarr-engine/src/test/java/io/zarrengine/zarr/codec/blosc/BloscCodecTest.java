package io.zarrengine.zarr.codec.blosc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decoding of blosc chunks. ConformanceTest compares the values of the conformance cases. */
final class BloscCodecTest {
    private final Workspace workspace = new Workspace();

    @AfterEach
    void close() {
        workspace.close();
    }

    static List<BloscChunks.Chunk> chunks() {
        return BloscChunks.ofConformanceCases();
    }

    private byte[] decode(byte[] encoded, int targetBytes) throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, targetBytes);
            try {
                MemorySegment input = Samples.nativeCopy(arena, encoded);
                long bytes = new BloscCodec().decode(input, target.segment(), workspace);
                return target.segment().asSlice(0, bytes).toArray(JAVA_BYTE);
            } finally {
                target.assertIntact();
            }
        }
    }

    private void assertRefused(String problem, byte[] encoded, int targetBytes) {
        CodecException e = assertThrows(CodecException.class, () -> decode(encoded, targetBytes));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesWhatASlowEncoderWrites(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        int[] shuffles = {0, BloscChunks.BYTE_SHUFFLED, BloscChunks.BIT_SHUFFLED};
        for (int round = 0; round < 150; round++) {
            int typeBytes = 1 + random.nextInt(round % 10 == 0 ? 255 : 17);
            int wanted = typeBytes * (1 + random.nextInt(400));
            byte[] sample = Samples.random(random, 1 + random.nextInt(4 * wanted));
            int blockBytes = BloscChunks.blockBytes(wanted, typeBytes, sample.length);
            int shuffle = shuffles[random.nextInt(3)];
            int split = random.nextBoolean() ? BloscChunks.NOT_SPLIT : 0;
            byte[] encoded =
                    BloscChunks.encode(
                            sample, BloscChunks.ZLIB | shuffle | split, typeBytes, blockBytes);
            assertArrayEquals(sample, decode(encoded, sample.length));
            for (int range = 0; range < 3; range++) {
                int from = random.nextInt(sample.length + 1);
                assertDecodesRange(
                        encoded, sample, from, from + random.nextInt(sample.length - from + 1));
            }
        }
    }

    private static void assertDecodesRange(byte[] encoded, byte[] sample, int from, int to)
            throws CodecException {
        try (Arena arena = Arena.ofConfined();
                Workspace workspace = new Workspace()) {
            GuardedMemory target = new GuardedMemory(arena, sample.length);
            MemorySegment chunk = Samples.nativeCopy(arena, encoded);
            new BloscCodec().decodeRange(chunk, target.segment(), from, to, workspace);
            assertArrayEquals(
                    Arrays.copyOfRange(sample, from, to),
                    target.segment().asSlice(from, to - from).toArray(JAVA_BYTE),
                    () -> from + " to " + to);
            target.assertIntact();
        }
    }

    @Test
    void decodesWhatWasStored() throws CodecException {
        for (int bytes : Samples.boundaryBytes()) {
            byte[] sample = Samples.random(new SplittableRandom(bytes), bytes);
            byte[] encoded = BloscChunks.store(sample, 4);
            assertArrayEquals(sample, decode(encoded, bytes));
            assertEquals(bytes + 16, new BloscCodec().encodedBytesMax(bytes));
            if (bytes > 0) {
                byte[] cut = Arrays.copyOf(encoded, encoded.length - 1);
                assertRefused("encoded bytes, there are", cut, bytes);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chunks")
    void decodesChunksOfZarrPython(BloscChunks.Chunk chunk) throws Exception {
        byte[] encoded = chunk.encoded();
        byte[] decoded = decode(encoded, chunk.decodedBytes());
        assertEquals(chunk.decodedBytes(), decoded.length);
        assertArrayEquals(decoded, decode(encoded, chunk.decodedBytes() + 1000));
        assertRefused("decoded bytes, expected", encoded, chunk.decodedBytes() - 1);
        byte[] more = Arrays.copyOf(encoded, encoded.length + 3);
        assertArrayEquals(decoded, decode(more, chunk.decodedBytes()), "the header says where");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chunks")
    void damageNeverWritesOutsideTheTarget(BloscChunks.Chunk chunk) throws IOException {
        SplittableRandom random = new SplittableRandom(chunk.name().hashCode());
        byte[] encoded = chunk.encoded();
        int refused = 0;
        for (int round = 0; round < 40; round++) {
            MemorySegment copy = MemorySegment.ofArray(encoded.clone());
            byte[] damaged = Samples.damaged(random, copy).toArray(JAVA_BYTE);
            try {
                assertTrue(decode(damaged, chunk.decodedBytes()).length <= chunk.decodedBytes());
            } catch (CodecException expected) {
                refused++;
            }
        }
        assertTrue(refused > 5, refused + " refused");
    }

    /** Small chunks of all kinds, so that most damage hits a header, an offset or a length. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damagedHeadersNeverWriteOutsideTheTarget(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 700; round++) {
            byte[] sample = Samples.random(random, 1 + random.nextInt(600));
            int flags = random.nextInt(256) & ~(BloscChunks.STORED | BloscChunks.RESERVED);
            int typeBytes = 1 + random.nextInt(5);
            int blockBytes = BloscChunks.blockBytes(300, typeBytes, sample.length);
            byte[] encoded = BloscChunks.encode(sample, flags, typeBytes, blockBytes);
            MemorySegment damaged = Samples.damaged(random, MemorySegment.ofArray(encoded));
            try {
                decode(damaged.toArray(JAVA_BYTE), sample.length);
            } catch (CodecException expected) {
                assertTrue(expected.getMessage().contains(": "));
            }
        }
    }

    @Test
    void refusesEveryTruncation() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(2), 700);
        byte[] encoded =
                BloscChunks.encode(sample, BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED, 2, 300);
        ByteBuffer header = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        for (int bytes = 0; bytes < encoded.length; bytes++) {
            byte[] cut = Arrays.copyOf(encoded, bytes);
            assertThrows(CodecException.class, () -> decode(cut, sample.length));
            if (bytes >= 16) { // also with the header adjusted
                header.putInt(12, bytes);
                byte[] shorter = Arrays.copyOf(encoded, bytes);
                assertThrows(CodecException.class, () -> decode(shorter, sample.length));
                header.putInt(12, encoded.length);
            }
        }
        assertArrayEquals(sample, decode(encoded, sample.length));
    }

    @Test
    void refusesStreamsThatReachOutsideTheChunk() {
        byte[] sample = Samples.random(new SplittableRandom(3), 600);
        byte[] good = BloscChunks.encode(sample, BloscChunks.ZLIB, 1, 300);
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, good.length}) {
            byte[] bad = good.clone();
            ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(24, length);
            String bytes = Integer.toUnsignedString(length);
            assertRefused("a stream of " + bytes + " bytes reaches behind", bad, 600);
        }
        byte[] bad = good.clone();
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(20, good.length - 3);
        assertRefused("block 1 reaches behind the chunk", bad, 600);
    }

    @Test
    void refusesAStreamThatDecodesToLess() {
        byte[] encoded = BloscChunks.encode(new byte[300], BloscChunks.ZLIB, 1, 300);
        ByteBuffer header = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(4, 400).putInt(8, 400);
        assertRefused("a stream decodes to 300 bytes, expected 400", encoded, 400);
    }

    @Test
    void cannotEncode() {
        MemorySegment segment = MemorySegment.ofArray(new byte[100]);
        assertThrows(
                CodecException.class, () -> new BloscCodec().encode(segment, segment, workspace));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesARangeWithoutTouchingOtherBlocks(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            int wanted = 4 * (1 + random.nextInt(400));
            byte[] sample = Samples.random(random, 1 + random.nextInt(6 * wanted));
            int blockBytes = BloscChunks.blockBytes(wanted, 4, sample.length);
            int from = random.nextInt(sample.length);
            int to = from + random.nextInt(sample.length + 1 - from);
            byte[] encoded =
                    BloscChunks.encode(
                            sample, BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED, 4, blockBytes);
            int first = from / blockBytes;
            int end = from == to ? first : Math.ceilDiv(to, blockBytes);
            int blocks = Math.ceilDiv(sample.length, blockBytes);
            ByteBuffer offsets = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
            for (int block = 0; block < blocks; block++) {
                if (block < first || block >= end) {
                    offsets.putInt(16 + 4 * block, -1); // refused only if it is read
                }
            }
            try (Arena arena = Arena.ofConfined()) {
                GuardedMemory target = new GuardedMemory(arena, sample.length);
                MemorySegment input = Samples.nativeCopy(arena, encoded);
                long bytes =
                        new BloscCodec().decodeRange(input, target.segment(), from, to, workspace);
                int most = Math.min(end * blockBytes, sample.length) - first * blockBytes;
                int least = from == to ? 0 : to - first * blockBytes;
                assertTrue(least <= bytes && bytes <= most, () -> bytes + " bytes");
                assertArrayEquals(
                        Arrays.copyOfRange(sample, from, to),
                        target.segment().asSlice(from, to - from).toArray(JAVA_BYTE));
                target.assertIntact();
            }
        }
    }

    @Test
    void decodesARangeOfAStoredChunk() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(5), 100);
        byte[] target = new byte[100];
        MemorySegment encoded = MemorySegment.ofArray(BloscChunks.store(sample, 4));
        long bytes =
                new BloscCodec()
                        .decodeRange(encoded, MemorySegment.ofArray(target), 7, 90, workspace);
        assertEquals(83, bytes);
        assertArrayEquals(Arrays.copyOfRange(sample, 7, 90), Arrays.copyOfRange(target, 7, 90));
        assertEquals(0, target[6]);
        assertEquals(0, target[90]);
    }

    /** The wanted bytes are there, but the chunk has another size than its metadata claims. */
    @Test
    void refusesARangeOfAChunkOfAnotherSize() {
        MemorySegment encoded = MemorySegment.ofArray(BloscChunks.store(new byte[100], 4));
        for (int bytes : new int[] {99, 101}) {
            MemorySegment target = MemorySegment.ofArray(new byte[bytes]);
            assertThrows(
                    CodecException.class,
                    () -> new BloscCodec().decodeRange(encoded, target, 0, 10, workspace));
        }
    }
}
