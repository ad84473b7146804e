package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Zstd batches of one device in streams of two owners, each with its own thread. */
@NeedsDevice
final class ZstdTurnsTest {
    private static final NvcompFormat FORMAT = NvcompFormat.ZSTD;
    private static final int CHUNK_BYTES = 50_000;
    private static final int DELAY_BYTES = 64 << 20;
    private static final int DELAYS = 40; // about a millisecond of an H100

    /**
     * The decoded bytes of one owner's batch are the source of the other's. If the other's batch
     * began too early, it would read the frame that was there before.
     */
    @Test
    void aBatchBeginsWhenThatOfAnotherOwnerHasRun() throws IOException {
        assumeTrue(NvcompLibrary.canDecode(FORMAT), "this release has no " + FORMAT.cName());
        byte[] before = Samples.encoded(FORMAT, chunk(1));
        byte[] frame = Samples.encoded(FORMAT, chunk(2));
        byte[] outer = Samples.encoded(FORMAT, frame);
        assertEquals(before.length, frame.length);
        Lab.run(one -> {
            try (Allocation inner = one.pool().allocate(frame.length, one.stream());
                    Allocation delay = one.pool().allocate(DELAY_BYTES, one.stream());
                    Decoding first = new Decoding(one, outer.length, frame.length)) {
                DeviceSlice middle = inner.slice().slice(0, frame.length);
                upload(one, before, middle);
                upload(one, outer, first.source());
                for (int i = 0; i < DELAYS; i++) {
                    one.stream().set(delay.slice(), (byte) i);
                }
                first.queue(first.source(), middle);
                Lab.run(two -> assertDecodes(two, middle, chunk(2)));
                one.stream().synchronize();
            }
        });
    }

    private static void assertDecodes(Lab lab, DeviceSlice source, byte[] expected)
            throws IOException {
        try (Decoding second = new Decoding(lab, source.byteSize(), expected.length)) {
            second.queue(source, second.target());
            MemorySegment down = lab.pinned().asSlice(lab.pinned().byteSize() / 2, expected.length);
            lab.stream().copyToHost(second.target(), down);
            lab.stream().synchronize();
            assertEquals(0, second.batch.failedChunks().count());
            assertArrayEquals(expected, down.toArray(JAVA_BYTE));
        }
    }

    /** Returns bytes that do not compress, so that all frames have one size. */
    private static byte[] chunk(int seed) {
        byte[] bytes = new byte[CHUNK_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static void upload(Lab lab, byte[] bytes, DeviceSlice target) throws IOException {
        MemorySegment staged = lab.pinned().asSlice(lab.pinned().byteSize() / 2, bytes.length);
        staged.copyFrom(MemorySegment.ofArray(bytes));
        lab.stream().copyToDevice(staged, target);
        lab.stream().synchronize();
    }

    /** A decoder and its memory, for batches of one chunk. */
    private static final class Decoding implements AutoCloseable {
        private final BatchDecoder decoder;
        private final Allocation source;
        private final Allocation target;
        private final Allocation scratch;
        private final Allocation arrays;
        private final long sourceBytes;
        private final long targetBytes;
        private final DecodeBatch batch;

        Decoding(Lab lab, long sourceBytes, long targetBytes) throws IOException {
            this.sourceBytes = sourceBytes;
            this.targetBytes = targetBytes;
            decoder = BatchDecoder.open(FORMAT, lab.stream());
            source = lab.pool().allocate(sourceBytes, lab.stream());
            target = lab.pool().allocate(targetBytes, lab.stream());
            long scratchBytes = decoder.scratchBytes(1, targetBytes, targetBytes);
            scratch = lab.pool().allocate(scratchBytes, lab.stream());
            arrays = lab.pool().allocate(DecodeBatch.bytes(1), lab.stream());
            batch = new DecodeBatch(lab.pinned(), arrays.slice(), 1);
        }

        DeviceSlice source() {
            return source.slice().slice(0, sourceBytes);
        }

        DeviceSlice target() {
            return target.slice().slice(0, targetBytes);
        }

        void queue(DeviceSlice from, DeviceSlice to) throws IOException {
            batch.add(from, to);
            decoder.decode(batch, scratch.slice());
        }

        @Override
        public void close() {
            arrays.close();
            scratch.close();
            target.close();
            source.close();
            decoder.close();
        }
    }
}
