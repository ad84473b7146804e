package io.zarrengine.gpu.chunk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.nvcomp.BloscFrame;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.blosc.BloscChunks;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the aligned layout of chunks with zlib streams, and restoring them. */
final class AlignedStreamsTest {
    private static final int TYPE_BYTES = 4;
    private static final int PLACES_AT = 16; // of the block offsets, after the header

    private final Workspace workspace = new Workspace();

    @AfterEach
    void close() {
        workspace.close();
    }

    private static byte[] sample(SplittableRandom random) {
        ByteBuffer sample = ByteBuffer.allocate(random.nextInt(100, 3000) * TYPE_BYTES);
        while (sample.hasRemaining()) {
            sample.putInt(random.nextInt(1 << 20));
        }
        return sample.array();
    }

    private static byte[] chunk(byte[] sample, int blockBytes) {
        return BloscChunks.encode(
                sample, BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED, TYPE_BYTES, blockBytes);
    }

    /** Returns the chunk with the last block first. blosc's threads write blocks in any order. */
    private static byte[] turned(byte[] chunk, int blocks) {
        ByteBuffer from = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = ByteBuffer.allocate(chunk.length).order(ByteOrder.LITTLE_ENDIAN);
        to.put(chunk, 0, PLACES_AT + 4 * blocks);
        for (int i = blocks - 1; i >= 0; i--) {
            int begin = from.getInt(PLACES_AT + 4 * i);
            int end = i == blocks - 1 ? chunk.length : from.getInt(PLACES_AT + 4 * (i + 1));
            to.putInt(PLACES_AT + 4 * i, to.position()).put(chunk, begin, end - begin);
        }
        return to.array();
    }

    private static BloscStreams streams(byte[] chunk, long alignment) {
        BloscFrame frame = BloscFrame.read(MemorySegment.ofArray(chunk));
        return BloscStreams.of(frame, chunk.length, TYPE_BYTES, alignment);
    }

    private static AlignedStreams aligned(byte[] chunk, long alignment) {
        return streams(chunk, alignment).aligned().orElseThrow();
    }

    private static byte[] inflated(byte[] bytes, long at, int length, int decodedBytes) {
        byte[] decoded = new byte[decodedBytes];
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(bytes, (int) at, length);
            assertEquals(decodedBytes, inflater.inflate(decoded));
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        }
        return decoded;
    }

    private void assertAligned(byte[] chunk, int sampleBytes, long alignment) {
        MemorySegment segment = MemorySegment.ofArray(chunk);
        byte[] aligned = aligned(chunk, alignment).align(segment, workspace).toArray(JAVA_BYTE);
        BloscFrame frame = BloscFrame.read(segment);
        AlignedStreams again = new AlignedStreams(chunk.length, frame.headerBytes(), alignment);
        List<Long> expected = new ArrayList<>();
        frame.streams((offset, bytes, _, decodedBytes, isStored) -> {
            long at = again.add(offset, bytes, isStored);
            expected.add(at);
            assertEquals(0, at % alignment);
            if (!isStored) {
                assertArrayEquals(
                        inflated(chunk, offset, bytes, decodedBytes),
                        inflated(aligned, at, bytes, decodedBytes));
            }
        });
        List<Long> places = new ArrayList<>(); // offsets on the device
        DeviceSlice encoded = new DeviceSlice(0, aligned.length);
        DeviceSlice decoded = new DeviceSlice(0, sampleBytes);
        streams(chunk, alignment)
                .forEach(encoded, decoded, (from, _, _) -> places.add(from.address()));
        assertEquals(expected, places);
        byte[] restored = new byte[chunk.length];
        again.restore(MemorySegment.ofArray(aligned), MemorySegment.ofArray(restored));
        assertArrayEquals(chunk, restored);
        assertEquals(chunk.length, again.chunkBytes());
        assertTrue(again.areApart());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void streamsAreAlignedAndPutTogetherAgain(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] sample = sample(random);
        int blockBytes = Math.min(random.nextInt(1, 2000) * TYPE_BYTES, sample.length);
        byte[] chunk = chunk(sample, blockBytes);
        byte[] turned = turned(chunk, Math.ceilDiv(sample.length, blockBytes));
        for (long alignment : new long[] {1, 4, 64}) { // nvCOMP now requires 4.
            assertAligned(chunk, sample.length, alignment);
            assertAligned(turned, sample.length, alignment);
        }
    }

    /**
     * In a broken chunk all blocks may lie at one offset, so that separate copies would take any
     * number of bytes.
     */
    @Test
    void streamsThatShareBytesAreNoticed() {
        int blocks = 100;
        byte[] sample = new byte[blocks * 1024];
        new SplittableRandom(1).nextBytes(sample);
        byte[] chunk = chunk(sample, 1024);
        ByteBuffer places = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        int first = places.getInt(PLACES_AT);
        int second = places.getInt(PLACES_AT + 4);
        for (int i = 1; i < blocks; i++) {
            places.putInt(PLACES_AT + 4 * i, first);
        }
        byte[] broken = Arrays.copyOf(chunk, second);
        ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(12, second);
        assertFalse(aligned(broken, 4).areApart());
        assertTrue(aligned(broken, 4).byteSize() > sample.length);
    }
}
