package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Encodes chunks on the device, and decodes them with other implementations, bit by bit. {@link
 * BatchDecoderTest} decodes them with nvCOMP.
 */
@NeedsDevice
final class BatchEncoderTest {
    private static final int[] SIZES = {1, 2, 15, 16, 17, 255, 4095, 4096, 4097, 65_536, 100_001};

    private static void assumeEncoder(NvcompFormat format) {
        assumeTrue(NvcompLibrary.canEncode(format), "this release does not encode " + format);
    }

    @ParameterizedTest
    @EnumSource(
            value = NvcompFormat.class,
            names = {"LZ4", "SNAPPY", "DEFLATE", "GZIP", "ZSTD"})
    void othersDecodeWhatItEncoded(NvcompFormat format) throws IOException {
        assumeEncoder(format);
        SplittableRandom random = new SplittableRandom(7);
        List<byte[]> chunks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int bytes = i < SIZES.length ? SIZES[i] : 1 + random.nextInt(70_000);
            chunks.add(Samples.chunk(random, bytes));
        }
        Lab.run(lab -> {
            List<byte[]> encoded = DeviceEncoder.encode(lab, format, chunks);
            for (int i = 0; i < chunks.size(); i++) {
                byte[] chunk = chunks.get(i);
                byte[] decoded = Samples.decoded(format, encoded.get(i), chunk.length);
                assertArrayEquals(chunk, decoded, format + ", chunk " + i);
            }
        });
    }

    /** Noise grows. A batch of noise only shows whether its targets are large enough. */
    @ParameterizedTest
    @EnumSource(NvcompFormat.class)
    void noiseFitsItsTarget(NvcompFormat format) throws IOException {
        assumeEncoder(format);
        SplittableRandom random = new SplittableRandom(8);
        List<byte[]> chunks = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            byte[] chunk = new byte[65_536];
            random.nextBytes(chunk);
            chunks.add(chunk);
        }
        Lab.run(lab -> {
            List<byte[]> encoded = DeviceEncoder.encode(lab, format, chunks);
            assertTrue(encoded.get(0).length > 65_000, encoded.get(0).length + " bytes");
        });
    }

    @ParameterizedTest
    @EnumSource(NvcompFormat.class)
    void refusesWhatDoesNotFit(NvcompFormat format) throws IOException {
        assumeEncoder(format);
        Lab.run(lab -> {
            int chunkBytes = 4096;
            try (BatchEncoder encoder = BatchEncoder.open(format, lab.stream());
                    Allocation arrays = lab.pool().allocate(4096, lab.stream());
                    Allocation chunk = lab.pool().allocate(chunkBytes, lab.stream());
                    Allocation memory = lab.pool().allocate(1 << 20, lab.stream());
                    Allocation enough = scratch(lab, encoder, chunkBytes)) {
                long room = encoder.encodedBytesMax(chunkBytes);
                long scratchBytes = encoder.scratchBytes(1, chunkBytes, chunkBytes);
                DeviceSlice scratch = enough.slice().slice(0, scratchBytes);
                EncodeBatch batch = new EncodeBatch(lab.pinned(), arrays.slice(), 1);
                encoder.encode(batch, scratch);
                assertFalse(batch.isDone(), "an empty batch is not launched");

                batch.add(chunk.slice(), memory.slice().slice(0, room - 1));
                assertThrows(IllegalArgumentException.class, () -> encoder.encode(batch, scratch));
                batch.clear();
                batch.add(chunk.slice(), memory.slice().slice(0, room));
                if (scratchBytes > 0) {
                    DeviceSlice less = scratch.slice(0, scratchBytes - 1);
                    assertThrows(IllegalArgumentException.class, () -> encoder.encode(batch, less));
                }
                lab.stream().set(chunk.slice(), (byte) 1);
                encoder.encode(batch, scratch);
                lab.stream().synchronize();
                assertTrue(batch.isDone() && batch.isSound(0));
            }
        });
    }

    private static Allocation scratch(Lab lab, BatchEncoder encoder, long chunkBytes)
            throws IOException {
        long bytes = encoder.scratchBytes(1, chunkBytes, chunkBytes);
        return lab.pool().allocate(Math.max(8, bytes), lab.stream());
    }

    @ParameterizedTest
    @EnumSource(
            value = NvcompFormat.class,
            names = {"LZ4", "ZSTD"})
    void refusesWhatIsNotAlignedOrTooLarge(NvcompFormat format) throws IOException {
        assumeEncoder(format);
        Lab.run(lab -> {
            try (BatchEncoder encoder = BatchEncoder.open(format, lab.stream());
                    Allocation memory = lab.pool().allocate(16 << 20, lab.stream())) {
                DeviceSlice all = memory.slice();
                EncodeBatch batch = new EncodeBatch(lab.pinned(), all, 1);
                long odd = 4096 + encoder.sourceAlignment() / 2;
                batch.add(all.slice(odd, 100), all.slice(8192, encoder.encodedBytesMax(100)));
                if (encoder.sourceAlignment() > 1) {
                    DeviceSlice scratch = all.slice(1 << 20, 4 << 20);
                    assertThrows(
                            IllegalArgumentException.class, () -> encoder.encode(batch, scratch));
                }
                long limit = 1 << 24;
                assertTrue(encoder.encodedBytesMax(limit) >= limit);
                NvcompException refusal =
                        assertThrows(
                                NvcompException.class, () -> encoder.encodedBytesMax(limit + 1));
                assertEquals(NvcompStatus.CHUNK_SIZE_TOO_LARGE, refusal.status());
            }
        });
    }
}
