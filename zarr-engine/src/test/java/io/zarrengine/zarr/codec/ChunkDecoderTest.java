package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.blosc.BloscChunks;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.codec.deflate.GzipCodec;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.place.ElementRows;
import io.zarrengine.zarr.shuffle.BytePlanes;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Chains of codecs. Fails if a codec overwrites bytes that it still reads. */
final class ChunkDecoderTest {
    private static final List<BytesCodec> CODECS =
            List.of(new ZstdCodec(1, false), new GzipCodec(1), new BloscCodec(), new Crc32cCodec());

    private final Workspace workspace = new Workspace(); // of one worker, reused for all chunks

    @AfterEach
    void close() {
        workspace.close();
    }

    /** Returns all chains of up to three codecs, with repetitions. */
    static List<List<BytesCodec>> chains() {
        List<List<BytesCodec>> chains = new ArrayList<>(List.of(List.of()));
        for (int begin = 0, length = 1; length <= 3; length++) {
            int end = chains.size();
            for (List<BytesCodec> chain : List.copyOf(chains.subList(begin, end))) {
                for (BytesCodec codec : CODECS) {
                    List<BytesCodec> longer = new ArrayList<>(chain);
                    longer.add(codec);
                    chains.add(longer);
                }
            }
            begin = end;
        }
        return chains;
    }

    @Test
    void decodesEveryChain() throws CodecException {
        SplittableRandom random = new SplittableRandom(0);
        assertEquals(1 + 4 + 16 + 64, chains().size());
        for (List<BytesCodec> chain : chains()) {
            for (int bytes : new int[] {1, 17, 5000}) {
                check(chain, Samples.random(random, bytes), 0);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesLongChains(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            List<BytesCodec> chain = new ArrayList<>();
            for (int i = 3 + random.nextInt(5); i > 0; i--) {
                chain.add(CODECS.get(random.nextInt(CODECS.size())));
            }
            byte[] sample = Samples.random(random, 1 + random.nextInt(100_000));
            check(chain, sample, random.nextInt(2) * random.nextInt(1000));
        }
    }

    /**
     * Checksum codec that counts comparisons. A compared chunk is decoded once, by whichever path.
     */
    private static final class CountedSum implements BytesCodec.Checksum {
        private final Crc32cCodec sum = new Crc32cCodec();
        private int compared;

        @Override
        public String name() {
            return "counted";
        }

        @Override
        public long encodedBytesMax(long decodedBytes) {
            return sum.encodedBytesMax(decodedBytes);
        }

        @Override
        public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
                throws CodecException {
            return sum.encode(decoded, encoded, workspace);
        }

        @Override
        public MemorySegment strip(MemorySegment encoded) throws CodecException {
            return sum.strip(encoded);
        }

        @Override
        public MemorySegment verify(MemorySegment encoded) throws CodecException {
            compared++;
            return sum.verify(encoded);
        }
    }

    /** Takes elements of two bytes, split in planes or not. */
    private record Halves(MemorySegment memory, List<Long> blocks) implements PlaneSink {
        @Override
        public long from() {
            return 0;
        }

        @Override
        public long to() {
            return memory.byteSize();
        }

        @Override
        public int elementBytes() {
            return 2;
        }

        @Override
        public MemorySegment memory(long bytes) {
            return memory.asSlice(0, bytes);
        }

        @Override
        public void put(BytePlanes block, long at) {
            blocks.add(at);
            block.put(ElementRows.one(0, block.elements(), memory, at));
        }
    }

    /** An element of 4 bytes is two elements of an array of 2 bytes: planes stay joined. */
    @ParameterizedTest
    @CsvSource({"2, 1", "4, 0", "1, 0", "0, 0"})
    void whatIsBehindShuffledElementsIsUndoneOnce(int elementBytes, int blocks)
            throws CodecException {
        CountedSum sum = new CountedSum();
        List<BytesCodec> chain = List.of(new ShuffleCodec(elementBytes), sum);
        byte[] sample = Samples.random(new SplittableRandom(1), 4000);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = Samples.nativeCopy(arena, encode(chain, sample));
            Halves sink = new Halves(arena.allocate(sample.length), new ArrayList<>());
            long bytes = ChunkDecoder.decodePlanes(chain, encoded, sample.length, sink, workspace);
            assertEquals(sample.length, bytes);
            assertArrayEquals(sample, sink.memory.toArray(JAVA_BYTE));
            assertEquals(blocks, sink.blocks.size());
            assertEquals(1, sum.compared);
        }
    }

    private static Workspace limited(long bytes) {
        return new Workspace(true, new MemoryAccount(bytes, new MemoryBudget(0, () -> {})));
    }

    /**
     * Steps of 64 KiB: one for each buffer's rounding, and one for the sample with its checksum.
     */
    @Test
    void decodesWhatFitsTheAvailableMemory() throws CodecException {
        byte[] sample = new byte[4 << 16];
        for (List<BytesCodec> chain : chains().subList(1, chains().size())) {
            long buffers =
                    chain.stream().filter(BytesCodec.Compressor.class::isInstance).count() + 1;
            try (Arena arena = Arena.ofConfined();
                    Workspace enough = limited((buffers * 6) << 16);
                    Workspace less = limited(5 << 16)) {
                MemorySegment encoded = Samples.nativeCopy(arena, encode(chain, sample));
                MemorySegment decoded =
                        ChunkDecoder.decodeUnknownSize(chain, encoded, 1 << 30, 0, enough);
                assertArrayEquals(sample, decoded.toArray(JAVA_BYTE), chain::toString);
                if (buffers > 2) {
                    MemoryShortException e =
                            assertThrows(
                                    MemoryShortException.class,
                                    () ->
                                            ChunkDecoder.decodeUnknownSize(
                                                    chain, encoded, 1 << 30, 0, less),
                                    chain::toString);
                    assertTrue(e.isFinal());
                }
            }
        }
    }

    @Test
    void leavesMemoryBesideAResultOfUnknownSize() throws CodecException {
        List<BytesCodec> chain = List.of(new GzipCodec(1));
        byte[] sample = new byte[400_000];
        long spare = 300_000;
        try (Arena arena = Arena.ofConfined();
                Workspace limited = limited(1 << 20)) {
            MemorySegment encoded = Samples.nativeCopy(arena, encode(chain, sample));
            MemorySegment decoded =
                    ChunkDecoder.decodeUnknownSize(chain, encoded, 1 << 30, spare, limited);
            assertArrayEquals(sample, decoded.toArray(JAVA_BYTE));
            limited.countHeap(spare).close();
        }
    }

    /** Decodes to a target with spare room, like a shard of unknown size. */
    private void check(List<BytesCodec> chain, byte[] sample, int spareBytes)
            throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = encode(chain, sample);
            MemorySegment encoded = Samples.nativeCopy(arena, bytes);
            GuardedMemory target = new GuardedMemory(arena, sample.length + spareBytes);
            MemorySegment decoded =
                    ChunkDecoder.decode(chain, encoded, target.segment(), workspace);
            assertArrayEquals(sample, decoded.toArray(JAVA_BYTE), chain::toString);
            assertArrayEquals(bytes, encoded.toArray(JAVA_BYTE), "the input was changed");
            target.assertIntact();
            boolean toTarget =
                    !chain.isEmpty() && chain.getFirst() instanceof BytesCodec.Compressor;
            assertEquals(toTarget, decoded.address() == target.segment().address());
        }
    }

    /** Encodes in Java, so that no library is necessary. */
    private byte[] encode(List<BytesCodec> chain, byte[] sample) throws CodecException {
        byte[] bytes = sample;
        for (BytesCodec codec : chain) {
            bytes =
                    switch (codec) {
                        case ZstdCodec zstd -> zstd(bytes);
                        case BloscCodec blosc -> blosc(bytes);
                        default -> encode(codec, bytes);
                    };
        }
        return bytes;
    }

    /** Encodes like c-blosc: bytes that do not shrink are stored. */
    private static byte[] blosc(byte[] bytes) {
        int flags = BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED;
        int blockBytes = BloscChunks.blockBytes(4096, 4, bytes.length);
        byte[] encoded = BloscChunks.encode(bytes, flags, 4, blockBytes);
        return encoded.length < bytes.length ? encoded : BloscChunks.store(bytes, 4);
    }

    private static byte[] zstd(byte[] bytes) {
        ZstdJavaCompressor compressor = new ZstdJavaCompressor();
        byte[] encoded = new byte[compressor.maxCompressedLength(bytes.length)];
        int size = compressor.compress(bytes, 0, bytes.length, encoded, 0, encoded.length);
        return Arrays.copyOf(encoded, size);
    }

    private byte[] encode(BytesCodec codec, byte[] bytes) throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = arena.allocate(codec.encodedBytesMax(bytes.length));
            long size = codec.encode(Samples.nativeCopy(arena, bytes), encoded, workspace);
            return encoded.asSlice(0, size).toArray(JAVA_BYTE);
        }
    }

    @Test
    void refusesAChunkThatIsLongerThanTheTarget() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(1), 1000);
        for (List<BytesCodec> chain : chains()) {
            if (chain.isEmpty()) {
                continue;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment encoded = Samples.nativeCopy(arena, encode(chain, sample));
                GuardedMemory target = new GuardedMemory(arena, 999);
                assertThrows(
                        CodecException.class,
                        () -> ChunkDecoder.decode(chain, encoded, target.segment(), workspace),
                        chain::toString);
                target.assertIntact();
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damageNeverWritesOutsideTheTarget(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (List<BytesCodec> chain : chains()) {
            byte[] sample = Samples.random(random, 1 + random.nextInt(1000));
            byte[] bytes = encode(chain, sample);
            for (int round = 0; round < 10; round++) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment copy = Samples.nativeCopy(arena, bytes);
                    MemorySegment damaged = Samples.damaged(random, copy);
                    GuardedMemory target = new GuardedMemory(arena, sample.length);
                    try {
                        ChunkDecoder.decode(chain, damaged, target.segment(), workspace);
                    } catch (CodecException expected) {
                        refused++;
                    }
                    target.assertIntact();
                }
            }
        }
        assertTrue(refused > 300, refused + " refused");
    }
}
