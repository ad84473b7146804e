package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz4;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.RangeTests;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.blosc.BloscChunks;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.codec.zstd.ZstdFrame;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shuffle.SlowShuffle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prefixes of chunks, with codecs that stop after the wanted bytes. The slow twin is the sample.
 */
final class PartialDecodingTest {
    private static final BytesCodec.PartialDecoder ZSTD = new ZstdCodec(3, false);
    private static final BytesCodec.PartialDecoder ZSTD_CHECKED = new ZstdCodec(3, true);
    private static final BytesCodec.PartialDecoder LZ4 = new Lz4Codec();
    private static final int BLOCK_BYTES = 128 << 10;
    private static final int LZ4_FORMAT = 1 << 5; // of a blosc header

    private final Arena arena = Arena.ofConfined();
    private final Workspace workspace = new Workspace();
    private final Workspace trusting = new Workspace(false);
    private final RangeTests ranges = new RangeTests(arena, workspace);

    @BeforeEach
    void needsTheLibraries() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "only libzstd encodes, and stops early");
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "only liblz4 encodes, and stops early");
    }

    @AfterEach
    void close() {
        workspace.close();
        trusting.close();
        arena.close();
    }

    private byte[] sample(long seed, int bytes) {
        return Samples.random(new SplittableRandom(seed), bytes);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesWhatIsWanted(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            byte[] sample = Samples.random(random, 1 + random.nextInt(5 * BLOCK_BYTES));
            int from = random.nextInt(sample.length);
            int to = from + 1 + random.nextInt(sample.length - from);
            long zstd =
                    ranges.assertDecodes(
                            ZSTD, ranges.encode(ZSTD, sample), sample, from, to, workspace);
            boolean saves = sample.length - to >= BLOCK_BYTES;
            assertTrue(zstd < to + BLOCK_BYTES || !saves, () -> "a block too many: " + zstd);
            long lz4 =
                    ranges.assertDecodes(
                            LZ4, ranges.encode(LZ4, sample), sample, from, to, workspace);
            assertEquals(stopsLz4(to, sample.length) ? to : sample.length, lz4);
        }
    }

    /** The engine's code always stops; liblz4 decodes the whole faster than more than a half. */
    private static boolean stopsLz4(int wanted, int bytes) {
        return MachineCodeLz4.denial().isEmpty() || wanted <= bytes / 2;
    }

    /** A context that stopped in the middle of a frame begins the next frame at its start. */
    @Test
    void decodesWholeChunksAndPrefixesInTurns() throws CodecException {
        byte[] sample = sample(1, 5 * BLOCK_BYTES);
        MemorySegment encoded = ranges.encode(ZSTD, sample);
        for (int round = 0; round < 3; round++) {
            assertEquals(
                    2 * BLOCK_BYTES,
                    ranges.assertDecodes(ZSTD, encoded, sample, 7, BLOCK_BYTES + 1, workspace));
            MemorySegment target = arena.allocate(sample.length);
            assertEquals(sample.length, ZSTD.decode(encoded, target, workspace));
            assertArrayEquals(sample, target.toArray(JAVA_BYTE));
        }
    }

    /** A checksum covers all of the content, so all of it is decoded. */
    @Test
    void decodesAFrameWithAChecksumWhole() throws CodecException {
        byte[] sample = sample(2, 5 * BLOCK_BYTES);
        MemorySegment encoded = ranges.encode(ZSTD_CHECKED, sample);
        assertEquals(sample.length, ranges.assertDecodes(ZSTD, encoded, sample, 0, 1, workspace));
        assertEquals(BLOCK_BYTES, ranges.assertDecodes(ZSTD, encoded, sample, 0, 1, trusting));
        long checksum = encoded.byteSize() - 1;
        encoded.set(JAVA_BYTE, checksum, (byte) ~encoded.get(JAVA_BYTE, checksum));
        ranges.assertRefused(ZSTD, encoded, sample.length, 1, workspace);
        ranges.assertDecodes(ZSTD, encoded, sample, 0, 1, trusting);
    }

    /** The wanted bytes are there, but the chunk has another size than its metadata claims. */
    @Test
    void refusesAChunkOfAnotherSize() throws CodecException {
        byte[] sample = sample(3, 5 * BLOCK_BYTES);
        for (BytesCodec.PartialDecoder codec : new BytesCodec.PartialDecoder[] {ZSTD, LZ4}) {
            MemorySegment encoded = ranges.encode(codec, sample);
            ranges.assertRefused(codec, encoded, sample.length - 1, 1, workspace);
            ranges.assertRefused(codec, encoded, sample.length + 1, 1, workspace);
        }
    }

    /** Also if the cut is far after the wanted bytes. */
    @Test
    void refusesATruncatedFrame() throws CodecException {
        byte[] sample = sample(3, 5 * BLOCK_BYTES);
        MemorySegment encoded = ranges.encode(ZSTD, sample);
        for (long bytes : new long[] {0, 1, 17, 18, 20, encoded.byteSize() - 1}) {
            ranges.assertRefused(ZSTD, encoded.asSlice(0, bytes), sample.length, 1, workspace);
        }
        MemorySegment longer = arena.allocate(encoded.byteSize() + 1);
        ranges.assertRefused(ZSTD, longer.copyFrom(encoded), sample.length, 1, workspace);
    }

    /** Codecs that decode parts check only the bytes that they decode. */
    @Test
    void findsNoDamageAfterThePrefix() throws CodecException {
        byte[] sample = new byte[5 * BLOCK_BYTES];
        new SplittableRandom(4).nextBytes(sample); // stored uncompressed, so any byte can be wrong
        MemorySegment encoded = ranges.encode(ZSTD, sample);
        ZstdFrame frame = ZstdFrame.read(encoded).orElseThrow();
        long second = frame.block(frame.header().bytes()).end();
        int raw = encoded.get(JAVA_BYTE, second);
        encoded.set(JAVA_BYTE, second, (byte) (raw | 0x06)); // a block of the reserved type
        ranges.assertDecodes(ZSTD, encoded, sample, 0, BLOCK_BYTES, workspace);
        GuardedMemory target = new GuardedMemory(arena, sample.length);
        assertThrows(
                CodecException.class,
                () -> ZSTD.decodeRange(encoded, target.segment(), 0, BLOCK_BYTES + 1, workspace));
    }

    @Test
    void decodesSeveralFramesWhole() throws CodecException {
        byte[] sample = sample(5, 2 * BLOCK_BYTES);
        MemorySegment frame = ranges.encode(ZSTD, sample);
        MemorySegment two = arena.allocate(2 * frame.byteSize());
        two.copyFrom(frame).asSlice(frame.byteSize()).copyFrom(frame);
        byte[] twice = Arrays.copyOf(sample, 2 * sample.length);
        System.arraycopy(sample, 0, twice, sample.length, sample.length);
        assertEquals(twice.length, ranges.assertDecodes(ZSTD, two, twice, 0, 1, workspace));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damageNeverWritesOutsideTheTarget(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            BytesCodec.PartialDecoder codec = random.nextBoolean() ? ZSTD : LZ4;
            byte[] sample = Samples.random(random, 1 + random.nextInt(3 * BLOCK_BYTES));
            MemorySegment damaged = Samples.damaged(random, ranges.encode(codec, sample));
            GuardedMemory target = new GuardedMemory(arena, sample.length);
            int to = 1 + random.nextInt(sample.length);
            try {
                codec.decodeRange(damaged, target.segment(), 0, to, trusting);
            } catch (CodecException expected) {
                // Damage can also go unnoticed.
            }
            target.assertIntact();
        }
    }

    /** Storage of the streams of a blosc chunk's only block. */
    enum Block {
        PLAIN(LZ4_FORMAT | BloscChunks.NOT_SPLIT),
        SHUFFLED(LZ4_FORMAT | BloscChunks.NOT_SPLIT | BloscChunks.BYTE_SHUFFLED),
        SPLIT(LZ4_FORMAT),
        SPLIT_SHUFFLED(LZ4_FORMAT | BloscChunks.BYTE_SHUFFLED);

        private final int flags;

        Block(int flags) {
            this.flags = flags;
        }
    }

    /**
     * Lz4 streams stop early: for shuffled elements, each plane stops after the last wanted
     * element.
     */
    @ParameterizedTest
    @EnumSource
    void decodesAPrefixOfABloscBlock(Block block) throws CodecException {
        int splits = block == Block.SPLIT || block == Block.SPLIT_SHUFFLED ? 4 : 1;
        boolean isShuffled = block == Block.SHUFFLED || block == Block.SPLIT_SHUFFLED;
        byte[] sample = new byte[4000];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = (byte) (i / 100);
        }
        byte[] stored = isShuffled ? SlowShuffle.shuffleBytes(sample, 4) : sample;
        MemorySegment chunk = arena.allocate(2L * sample.length);
        byte[] header = {2, 1, (byte) block.flags, 4};
        MemorySegment.copy(header, 0, chunk, JAVA_BYTE, 0, header.length);
        chunk.set(JAVA_INT_UNALIGNED, 4, sample.length);
        chunk.set(JAVA_INT_UNALIGNED, 8, sample.length);
        chunk.set(JAVA_INT_UNALIGNED, 16, 20);
        long at = 20;
        for (int split = 0; split < splits; split++) {
            int streamBytes = sample.length / splits;
            byte[] stream =
                    Arrays.copyOfRange(stored, split * streamBytes, (split + 1) * streamBytes);
            MemorySegment encoded = ranges.encode(LZ4, stream).asSlice(4); // without its size
            chunk.set(JAVA_INT_UNALIGNED, at, (int) encoded.byteSize());
            chunk.asSlice(at + 4).copyFrom(encoded);
            at += 4 + encoded.byteSize();
        }
        chunk.set(JAVA_INT_UNALIGNED, 12, (int) at);
        MemorySegment encoded = chunk.asSlice(0, at);
        long bytes = ranges.assertDecodes(new BloscCodec(), encoded, sample, 300, 901, workspace);
        int elements = 226; // of 4 bytes, of 1000
        long expected =
                switch (block) {
                    case PLAIN -> 901;
                    case SHUFFLED -> stopsLz4(3226, 4000) ? 3000 + elements : sample.length;
                    case SPLIT -> sample.length;
                    case SPLIT_SHUFFLED -> 4L * elements;
                };
        assertEquals(expected, bytes);
    }
}
