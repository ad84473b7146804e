package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares nvCOMP with other implementations, bit by bit, with guard bytes around every target. */
@NeedsDevice
final class BatchDecoderTest {
    private static final byte GUARD = (byte) 0xA5;
    private static final int PLACE_BYTES = 256;
    private static final int[] SIZES = {1, 2, 15, 16, 17, 255, 4095, 4096, 4097, 65_536, 100_001};

    @ParameterizedTest
    @EnumSource(
            value = NvcompFormat.class,
            names = {"LZ4", "SNAPPY", "DEFLATE", "GZIP", "ZSTD"})
    void decodesWhatOthersEncoded(NvcompFormat format) throws IOException {
        assumeTrue(NvcompLibrary.canDecode(format), "this release has no " + format.cName());
        Lab.run(lab -> {
            List<byte[]> chunks = chunks();
            Round round = new Round(lab, format, chunks, encode(format, chunks));
            round.run();
            round.assertSound();
            round.run(); // a batch may be filled again
            round.assertSound();
        });
    }

    @ParameterizedTest
    @EnumSource(NvcompFormat.class)
    void decodesWhatTheDeviceEncoded(NvcompFormat format) throws IOException {
        assumeTrue(NvcompLibrary.canDecode(format), "this release has no " + format.cName());
        assumeTrue(NvcompLibrary.canEncode(format), "nor an encoder of " + format.cName());
        Lab.run(lab -> {
            List<byte[]> chunks = chunks();
            List<byte[]> encoded = DeviceEncoder.encode(lab, format, chunks);
            Round round = new Round(lab, format, chunks, encoded);
            round.run();
            round.assertSound();
        });
    }

    private static List<byte[]> chunks() {
        SplittableRandom random = new SplittableRandom(7);
        List<byte[]> chunks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int bytes = i < SIZES.length ? SIZES[i] : 1 + random.nextInt(70_000);
            chunks.add(Samples.chunk(random, bytes));
        }
        return chunks;
    }

    private static List<byte[]> encode(NvcompFormat format, List<byte[]> chunks) {
        return chunks.stream().map(chunk -> Samples.encoded(format, chunk)).toList();
    }

    /**
     * LZ4 checks its bounds: a truncated chunk fails alone, and the device still works. The others
     * need {@link FrameCheck}: on an H200 the Snappy decoder of nvCOMP 5.1 never ended on a
     * truncated chunk.
     */
    @Test
    void aCutChunkFailsAlone() throws IOException {
        NvcompFormat format = NvcompFormat.LZ4;
        assumeTrue(NvcompLibrary.canDecode(format), "this release has no " + format.cName());
        List<byte[]> chunks = chunks();
        List<byte[]> encoded = new ArrayList<>(encode(format, chunks));
        UnaryOperator<byte[]> half = bytes -> Arrays.copyOf(bytes, bytes.length / 2);
        encoded.set(50, half.apply(encoded.get(50)));
        Lab.run(lab -> {
            Round round = new Round(lab, format, chunks, encoded);
            round.run();
            assertArrayEquals(new int[] {50}, round.batch.failedChunks().toArray());
            new Round(lab, format, chunks, encode(format, chunks)).run();
            assertTrue(lab.device().loss().isEmpty());
        });
    }

    /** Too little scratch memory gives wrong bytes, hangs or breaks the device (cudf #24002). */
    @Test
    void tooLittleScratchIsRefused() throws IOException {
        assumeTrue(NvcompLibrary.canDecode(NvcompFormat.ZSTD), "this release has no Zstd");
        Lab.run(lab -> {
            List<byte[]> chunks = chunks();
            List<byte[]> encoded = encode(NvcompFormat.ZSTD, chunks);
            Round round = new Round(lab, NvcompFormat.ZSTD, chunks, encoded);
            round.scratchMissing = 1;
            assertThrows(IllegalArgumentException.class, round::run);
            round.scratchMissing = 0;
            round.run();
            round.assertSound();
        });
    }

    @Test
    void scratchOfZstdIsAboutThreeTimesWhatIsDecoded() throws IOException {
        assumeTrue(NvcompLibrary.canDecode(NvcompFormat.ZSTD), "this release has no Zstd");
        Lab.run(lab -> {
            try (BatchDecoder decoder = BatchDecoder.open(NvcompFormat.ZSTD, lab.stream())) {
                long decoded = 4096L << 16;
                long bytes = decoder.scratchBytes(4096, 1 << 16, decoded);
                assertTrue(bytes > 2 * decoded && bytes < 4 * decoded, bytes + "");
                assertThrows(
                        NvcompException.class, () -> decoder.scratchBytes(1, 1L << 31, 1L << 31));
            }
        });
    }

    /** One batch: uploads encoded chunks, decodes them and downloads the results. */
    private static final class Round {
        final Lab lab;
        final NvcompFormat format;
        final List<byte[]> chunks;
        final List<byte[]> encoded;
        DecodeBatch batch;
        byte[] targets;
        int scratchMissing;

        Round(Lab lab, NvcompFormat format, List<byte[]> chunks, List<byte[]> encoded) {
            this.lab = lab;
            this.format = format;
            this.chunks = chunks;
            this.encoded = encoded;
        }

        void run() throws IOException {
            long batchBytes = DecodeBatch.bytes(chunks.size());
            long sourceBytes = encoded.stream().mapToLong(Round::place).sum();
            long targetBytes = chunks.stream().mapToLong(Round::place).sum();
            try (BatchDecoder decoder = BatchDecoder.open(format, lab.stream());
                    Allocation source = lab.pool().allocate(sourceBytes, lab.stream());
                    Allocation target = lab.pool().allocate(targetBytes, lab.stream());
                    Allocation scratch = lab.pool().allocate(scratch(decoder), lab.stream());
                    Allocation arrays = lab.pool().allocate(batchBytes, lab.stream());
                    CudaEvent end = CudaEvent.open(lab.device())) {
                MemorySegment staged = lab.pinned().asSlice(batchBytes);
                batch = new DecodeBatch(lab.pinned(), arrays.slice(), chunks.size());
                fill(source.slice(), target.slice(), staged);
                lab.stream().copyToDevice(staged.asSlice(0, sourceBytes), source.slice());
                lab.stream().set(target.slice(), GUARD);
                assertFalse(batch.isDone());
                DeviceSlice all = scratch.slice();
                decoder.decode(batch, all.slice(0, scratch(decoder) - scratchMissing));
                end.record(lab.stream());
                while (!batch.isDone()) {
                    end.isDone(); // throws if the device is lost
                }
                MemorySegment down = staged.asSlice(0, targetBytes);
                lab.stream().copyToHost(target.slice().slice(0, targetBytes), down);
                lab.stream().synchronize();
                targets = down.toArray(JAVA_BYTE);
            }
        }

        private long scratch(BatchDecoder decoder) throws NvcompException {
            long total = chunks.stream().mapToLong(chunk -> chunk.length).sum();
            long max = chunks.stream().mapToLong(chunk -> chunk.length).max().orElseThrow();
            return Math.max(8, decoder.scratchBytes(chunks.size(), max, total));
        }

        private void fill(DeviceSlice source, DeviceSlice target, MemorySegment staged) {
            long from = 0;
            long to = PLACE_BYTES / 2;
            for (int i = 0; i < chunks.size(); i++) {
                byte[] bytes = encoded.get(i);
                MemorySegment.copy(bytes, 0, staged, JAVA_BYTE, from, bytes.length);
                batch.add(source.slice(from, bytes.length), target.slice(to, chunks.get(i).length));
                from += place(bytes);
                to += place(chunks.get(i));
            }
        }

        /** Chunks begin at multiples of 256 bytes, with guards between. */
        private static long place(byte[] bytes) {
            return (bytes.length + 2L * PLACE_BYTES - 1) / PLACE_BYTES * PLACE_BYTES;
        }

        void assertSound() {
            assertEquals(0, batch.failedChunks().count());
            byte[] expected = new byte[targets.length];
            Arrays.fill(expected, GUARD);
            int to = PLACE_BYTES / 2;
            for (byte[] chunk : chunks) {
                System.arraycopy(chunk, 0, expected, to, chunk.length);
                to += (int) place(chunk);
            }
            assertArrayEquals(expected, targets, format.cName());
        }
    }
}
