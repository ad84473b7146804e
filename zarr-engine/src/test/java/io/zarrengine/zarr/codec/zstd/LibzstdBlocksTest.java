package io.zarrengine.zarr.codec.zstd;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large frames decoded block by block through a ring. Fails if the ring overwrites bytes that a
 * later match needs. The slow twin is the sample.
 */
final class LibzstdBlocksTest {
    private static final ZstdCodec ZSTD = new ZstdCodec(1, false); // a window of 512 KiB
    private static final ZstdCodec ZSTD_CHECKED = new ZstdCodec(1, true);
    private static final int BLOCK_BYTES = 128 << 10;

    /** Twice the window and two blocks, and two more, in bytes. */
    private static final int STREAMED_BYTES = 14 * BLOCK_BYTES;

    private static final int RING_BYTES = 7 * BLOCK_BYTES; // at most

    private final Arena arena = Arena.ofConfined();
    private final Workspace workspace = new Workspace();
    private final Workspace trusting = new Workspace(false);

    /** Collects the decoded blocks in order. */
    private static final class Sink implements BlockSink {
        private final long to;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Sink(long to) {
            this.to = to;
        }

        @Override
        public long to() {
            return to;
        }

        @Override
        public void put(MemorySegment block, long at) {
            assertEquals(bytes.size(), at);
            assertTrue(block.byteSize() <= BLOCK_BYTES);
            bytes.writeBytes(block.toArray(JAVA_BYTE));
        }
    }

    @BeforeEach
    void needsTheLibrary() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable() && LibzstdBlocks.areThere());
    }

    @AfterEach
    void close() {
        workspace.close();
        trusting.close();
        arena.close();
    }

    private MemorySegment encode(ZstdCodec codec, byte... sample) throws CodecException {
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        return encoded.asSlice(0, codec.encode(decoded, encoded, workspace));
    }

    private static byte[] sample(long seed, int bytes) {
        return Samples.random(new SplittableRandom(seed), bytes);
    }

    /** Compares the wanted bytes, and returns how many bytes were decoded for them. */
    private static long assertStreams(
            MemorySegment encoded, byte[] sample, int to, Workspace workspace)
            throws CodecException {
        Sink sink = new Sink(to);
        long bytes = ZSTD.stream(encoded, sample.length, sink, workspace);
        assertEquals(bytes, sink.bytes.size());
        assertTrue(bytes >= to, () -> bytes + " bytes for " + to);
        assertArrayEquals(Arrays.copyOf(sample, (int) bytes), sink.bytes.toByteArray());
        return bytes;
    }

    /** Noise that repeats: matches find earlier bytes in the ring, also where it wraps around. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 100_000, 300_000, 520_000})
    void copiesFromFarBack(int distance) throws CodecException {
        byte[] sample = new byte[3 * STREAMED_BYTES];
        new SplittableRandom(distance).nextBytes(sample);
        for (int at = distance; at < sample.length; at++) {
            sample[at] = sample[at - distance];
        }
        MemorySegment encoded = encode(ZSTD, sample);
        assertTrue(encoded.byteSize() < 2L * distance, "no copies: " + encoded.byteSize());
        assertStreams(encoded, sample, sample.length, workspace);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesWhatIsWanted(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 8; round++) {
            byte[] sample =
                    Samples.random(random, STREAMED_BYTES + random.nextInt(20 * BLOCK_BYTES));
            boolean isChecked = random.nextInt(4) == 0;
            MemorySegment encoded = encode(isChecked ? ZSTD_CHECKED : ZSTD, sample);
            int to = random.nextBoolean() ? sample.length : 1 + random.nextInt(sample.length);
            long bytes = assertStreams(encoded, sample, to, workspace);
            assertTrue(isChecked || bytes < to + BLOCK_BYTES, () -> bytes + " bytes for " + to);
        }
    }

    /** No block is larger than the window, and the ring has room for few of them. */
    @ParameterizedTest
    @ValueSource(ints = {10, 12, 16, 17, 18})
    void windowsMayBeSmall(int windowLog) throws CodecException {
        SplittableRandom random = new SplittableRandom(windowLog);
        byte[] sample = new byte[STREAMED_BYTES];
        int at = 0;
        while (at < sample.length) { // some new bytes, then a copy from anywhere in the window
            for (int end = Math.min(at + 20, sample.length); at < end; at++) {
                sample[at] = (byte) random.nextInt();
            }
            int distance = 1 + random.nextInt(Math.min(at, (1 << windowLog) - 100));
            for (int end = Math.min(at + 100, sample.length); at < end; at++) {
                sample[at] = sample[at - distance];
            }
        }
        MemorySegment encoded =
                LibzstdFrames.encode(
                        arena,
                        Map.of(
                                LibzstdFrames.WINDOW_LOG,
                                windowLog,
                                LibzstdFrames.TARGET_BLOCK_BYTES,
                                1340),
                        sample);
        long window = ZstdFrame.read(encoded).orElseThrow().header().windowBytes();
        assertEquals(1L << windowLog, window);
        assertTrue(encoded.byteSize() < sample.length / 2, "no copies: " + encoded.byteSize());
        assertStreams(encoded, sample, sample.length, workspace);
    }

    /** A context that stopped in the middle of a frame begins the next frame at its start. */
    @Test
    void decodesBlocksPrefixesAndWholeChunksInTurns() throws CodecException {
        byte[] sample = sample(1, STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD, sample);
        MemorySegment target = arena.allocate(sample.length);
        for (int round = 0; round < 3; round++) {
            assertEquals(BLOCK_BYTES, assertStreams(encoded, sample, 7, workspace));
            assertEquals(sample.length, ZSTD.decode(encoded, target, workspace));
            assertArrayEquals(sample, target.toArray(JAVA_BYTE));
            assertEquals(BLOCK_BYTES, assertStreams(encoded, sample, 7, workspace));
            assertEquals(BLOCK_BYTES, ZSTD.decodeRange(encoded, target, 0, 7, workspace));
        }
    }

    /** The purpose of the ring: the chunk does not fit in the memory that this worker may take. */
    @Test
    void takesTheMemoryOfARing() throws CodecException {
        byte[] sample = sample(2, 4 * STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD, sample);
        var account = new MemoryAccount(RING_BYTES, new MemoryBudget(0, () -> {}));
        try (Workspace small = new Workspace(true, account)) {
            assertEquals(sample.length, assertStreams(encoded, sample, sample.length, small));
        }
    }

    @Test
    void refusesARingAsLargeAsTheChunk() throws CodecException {
        // The ring would be more than half of the chunk.
        byte[] sample = sample(3, 10 * BLOCK_BYTES);
        assertRefuses(encode(ZSTD, sample), sample.length);
        byte[] small = sample(3, 2 * BLOCK_BYTES); // The window is the whole chunk.
        assertRefuses(encode(ZSTD, small), small.length);
    }

    private void assertRefuses(MemorySegment encoded, int bytes) throws CodecException {
        Sink sink = new Sink(1);
        assertEquals(-1, ZSTD.stream(encoded, bytes, sink, workspace));
        assertEquals(0, sink.bytes.size());
    }

    /** Decoding the whole chunk at once reports the error. */
    @Test
    void refusesAllButOneFrameOfTheSize() throws CodecException {
        byte[] sample = sample(4, STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD, sample);
        assertRefuses(encoded, sample.length + 1);
        assertRefuses(encoded, sample.length - 1);
        for (long bytes : new long[] {0, 1, 17, 18, 20, encoded.byteSize() - 1}) {
            assertRefuses(encoded.asSlice(0, bytes), sample.length);
        }
        MemorySegment two = arena.allocate(2 * encoded.byteSize());
        two.copyFrom(encoded).asSlice(encoded.byteSize()).copyFrom(encoded);
        assertRefuses(two, sample.length);
        assertRefuses(two, 2 * sample.length);
    }

    /** Its blocks can be decoded without the dictionary, but to other bytes. */
    @Test
    void refusesAFrameThatNeedsADictionary() throws CodecException {
        byte[] sample = sample(8, STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD, sample);
        MemorySegment needy = arena.allocate(encoded.byteSize() + 1);
        int dictionaryAt = 6; // after the magic number, the descriptor and the window
        needy.copyFrom(encoded.asSlice(0, dictionaryAt));
        needy.asSlice(dictionaryAt + 1).copyFrom(encoded.asSlice(dictionaryAt));
        needy.set(JAVA_BYTE, dictionaryAt, (byte) 77); // Dictionary_ID, 3.1.1.1.3
        assertHeaderIsRefused(needy, 0x01, sample);
        assertHeaderIsRefused(encoded, 0x08, sample); // Reserved_bit, 3.1.1.1.1
    }

    private void assertHeaderIsRefused(MemorySegment frame, int flag, byte... sample)
            throws CodecException {
        frame.set(JAVA_BYTE, 4, (byte) (frame.get(JAVA_BYTE, 4) | flag));
        assertRefuses(frame, sample.length);
        MemorySegment target = arena.allocate(sample.length);
        assertThrows(CodecException.class, () -> ZSTD.decodeRange(frame, target, 0, 7, workspace));
        assertThrows(CodecException.class, () -> ZSTD.decode(frame, target, workspace));
    }

    /** A checksum covers all of the content, so all of it is decoded. */
    @Test
    void comparesAChecksum() throws CodecException {
        byte[] sample = sample(5, STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD_CHECKED, sample);
        assertEquals(sample.length, assertStreams(encoded, sample, 1, workspace));
        assertEquals(BLOCK_BYTES, assertStreams(encoded, sample, 1, trusting));
        long checksum = encoded.byteSize() - 1;
        encoded.set(JAVA_BYTE, checksum, (byte) ~encoded.get(JAVA_BYTE, checksum));
        assertThrows(
                CodecException.class,
                () -> ZSTD.stream(encoded, sample.length, new Sink(1), workspace));
        assertEquals(BLOCK_BYTES, assertStreams(encoded, sample, 1, trusting));
    }

    /** One header claims more than its blocks hold, one claims less. */
    @Test
    void refusesAFrameOfAnotherSizeThanItClaims() throws CodecException {
        byte[] sample = sample(6, STREAMED_BYTES);
        MemorySegment encoded = encode(ZSTD, sample);
        int content = ZstdFrame.read(encoded).orElseThrow().header().bytes() - Integer.BYTES;
        for (int difference : new int[] {-BLOCK_BYTES, -1, 1, BLOCK_BYTES}) {
            int said = sample.length + difference;
            encoded.set(Samples.LE_INT, content, said);
            Sink sink = new Sink(said);
            assertThrows(CodecException.class, () -> ZSTD.stream(encoded, said, sink, workspace));
            assertTrue(sink.bytes.size() <= said, "a sink got more than there is");
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damageIsNotedOrChangesContentAlone(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] sample = Samples.random(random, STREAMED_BYTES);
        for (int round = 0; round < 20; round++) {
            MemorySegment damaged = Samples.damaged(random, encode(ZSTD, sample));
            Sink sink = new Sink(sample.length);
            try {
                long bytes = ZSTD.stream(damaged, sample.length, sink, workspace);
                assertEquals(Math.max(bytes, 0), sink.bytes.size());
            } catch (CodecException expected) {
                assertTrue(sink.bytes.size() <= sample.length);
            }
        }
    }
}
