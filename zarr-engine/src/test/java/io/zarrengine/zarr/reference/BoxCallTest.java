package io.zarrengine.zarr.reference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.BoxCall;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One call places boxes of a blosc chunk where the decoded elements go one by one: a wrong row, one
 * that a block's end cuts, a part of a stream that was not decoded, a box of several.
 */
final class BoxCallTest {
    private static final int[] ELEMENT_BYTES = {1, 2, 4, 8};
    private static final int[] TYPE_BYTES = {1, 2, 4, 8, 3};

    private final Workspace workspace = new Workspace();
    private BoxCall call;

    /** A chunk, its boxes side by side in a target, and the target that is right. */
    private static final class Sample {
        final byte[] decoded;
        final int elementBytes;
        final long[] shape;
        final List<Region> parts;
        final byte[] target;

        Sample(byte[] decoded, int elementBytes, long[] shape, List<Region> parts, byte[] target) {
            this.decoded = decoded;
            this.elementBytes = elementBytes;
            this.shape = shape;
            this.parts = parts;
            this.target = target;
        }
    }

    @BeforeEach
    void open() throws CodecException {
        call = new BloscCodec().boxCall(workspace);
        assumeTrue(call != null);
    }

    @AfterEach
    void close() {
        workspace.close();
    }

    private static Sample sample(SplittableRandom random) {
        int elementBytes = ELEMENT_BYTES[random.nextInt(ELEMENT_BYTES.length)];
        long[] shape = new long[1 + random.nextInt(5)];
        long elements = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            long most = d == shape.length - 1 ? 600 : Math.min(20, 20_000 / elements);
            shape[d] = 1 + random.nextLong(Math.max(most, 1));
            elements *= shape[d];
        }
        byte[] decoded = new byte[(int) elements * elementBytes];
        for (int i = 0; i < decoded.length; i++) { // The lowest bytes do not compress.
            decoded[i] = (byte) (i % elementBytes == 0 ? random.nextInt() : i / 700);
        }
        List<Region> parts = new ArrayList<>();
        long end = 0;
        for (int i = random.nextInt(4) == 0 ? random.nextInt(15) : 0; i >= 0; i--) {
            Region part = part(random, shape, elementBytes, end);
            parts.add(part);
            end = last(part) + elementBytes;
        }
        byte[] target = new byte[(int) end];
        StridedBox box = new StridedBox();
        for (Region part : parts) {
            box.set(part, shape, elementBytes);
            box.forEach((from, to) ->
                    System.arraycopy(decoded, (int) from, target, (int) to, elementBytes));
        }
        return new Sample(decoded, elementBytes, shape, parts, target);
    }

    /** Returns a part whose elements lie behind a place, with gaps, some dimensions reversed. */
    private static Region part(SplittableRandom random, long[] shape, int elementBytes, long at) {
        int rank = shape.length;
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] stride = new long[rank];
        long offset = at;
        long extent = elementBytes;
        for (int d = rank - 1; d >= 0; d--) {
            step[d] = 1;
            boolean isAll = random.nextBoolean();
            start[d] = isAll ? 0 : random.nextLong(shape[d]);
            count[d] = isAll ? shape[d] : 1 + random.nextLong(shape[d] - start[d]);
            boolean isReversed = d < rank - 1 && random.nextInt(5) == 0;
            stride[d] = isReversed ? -extent : extent;
            offset += isReversed ? (count[d] - 1) * extent : 0;
            extent = extent * count[d] + (random.nextInt(3) == 0 ? random.nextInt(30) : 0);
        }
        return new Region(start, step, count, stride, offset);
    }

    private static long last(Region part) {
        long last = part.targetOffset();
        for (int d = 0; d < part.rank(); d++) {
            last += Math.max(0, (part.count(d) - 1) * part.targetStride(d));
        }
        return last;
    }

    /** Returns the number of decoded bytes; -1 if the call refuses, -2 if it is not fit. */
    private long place(Sample sample, byte[] encoded, byte[] placed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = arena.allocateFrom(JAVA_BYTE, encoded);
            GuardedMemory target = new GuardedMemory(arena, placed.length);
            GuardedMemory buffer = new GuardedMemory(arena, sample.decoded.length);
            target.segment().fill((byte) 0);
            int boxes = sample.parts.size();
            boolean isFit = call.begin(chunk, sample.decoded.length, sample.elementBytes, boxes);
            StridedBox box = new StridedBox();
            for (Region part : sample.parts) {
                box.set(part, sample.shape, sample.elementBytes);
                isFit = isFit && call.add(box, target.segment());
            }
            if (!isFit) {
                return -2;
            }
            long bytes = call.place(chunk, buffer.segment(), target.segment());
            target.assertIntact();
            buffer.assertIntact();
            MemorySegment.copy(target.segment(), JAVA_BYTE, 0, placed, 0, placed.length);
            return bytes;
        }
    }

    private static boolean isHandled(Blosc kind, Sample sample) {
        int unit = kind.typeBytes();
        boolean isShuffled = kind.shuffle() == 1 && unit > 1;
        boolean isKnown = kind.codec() <= 1 && kind.shuffle() != 2;
        return isKnown
                && (!isShuffled
                        || (Integer.bitCount(unit) == 1 && sample.elementBytes % unit == 0));
    }

    private static Blosc kind(SplittableRandom random) {
        int typeBytes = TYPE_BYTES[random.nextInt(TYPE_BYTES.length)];
        int blockBytes = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(40_000);
        int shuffle = random.nextInt(5) == 0 ? 2 : random.nextInt(3) == 0 ? 0 : 1;
        return new Blosc(random.nextInt(3), shuffle, typeBytes, blockBytes);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void placesAsElementByElement(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int placedChunks = 0;
        for (int round = 0; round < 1500; round++) {
            Sample sample = sample(random);
            Blosc kind = kind(random);
            byte[] encoded = kind.encode(sample.decoded);
            boolean isStored = (encoded[2] & 2) != 0;
            byte[] placed = new byte[sample.target.length];
            long bytes = place(sample, encoded, placed);
            String what = kind + ", round " + round;
            if (bytes == -2) {
                continue;
            }
            assertEquals(isStored || isHandled(kind, sample), bytes >= 0, what);
            if (bytes >= 0) {
                assertArrayEquals(sample.target, placed, what);
                placedChunks++;
            }
        }
        assertTrue(placedChunks > 200, placedChunks + " chunks were placed");
    }

    /** What is accepted is also what the decoder in Java accepts, and decodes in the same way. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void placesOrRefusesDamagedChunks(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        int placedChunks = 0;
        for (int round = 0; round < 3000; round++) {
            Sample sample = sample(random);
            byte[] encoded = kind(random).encode(sample.decoded);
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at =
                        random.nextInt(
                                random.nextBoolean()
                                        ? Math.min(40, encoded.length)
                                        : encoded.length);
                encoded[at] =
                        (byte)
                                (random.nextBoolean()
                                        ? random.nextInt()
                                        : encoded[at] ^ 1 << random.nextInt(8));
            }
            byte[] placed = new byte[sample.target.length];
            long bytes = place(sample, encoded, placed);
            refused += bytes == -1 ? 1 : 0;
            if (bytes >= 0) {
                assertArrayEquals(decodedInJava(sample, encoded), placed, "round " + round);
                placedChunks++;
            }
        }
        assertTrue(refused > 100 && placedChunks > 100, refused + ", " + placedChunks);
    }

    private byte[] decodedInJava(Sample sample, byte[] encoded) throws CodecException {
        byte[] target = new byte[sample.target.length];
        StridedBox box = new StridedBox();
        long from = Long.MAX_VALUE;
        long end = 0;
        for (Region part : sample.parts) {
            box.set(part, sample.shape, sample.elementBytes);
            from = Math.min(from, box.sourceFrom());
            end = Math.max(end, box.sourceTo());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment decoded = arena.allocate(sample.decoded.length);
            MemorySegment chunk = arena.allocateFrom(JAVA_BYTE, encoded);
            new BloscCodec().decodeRange(chunk, decoded, from, end, workspace);
            for (Region part : sample.parts) {
                box.set(part, sample.shape, sample.elementBytes);
                box.forEach((at, to) -> {
                    MemorySegment element = decoded.asSlice(at, sample.elementBytes);
                    MemorySegment.copy(
                            element, JAVA_BYTE, 0, target, (int) to, sample.elementBytes);
                });
            }
        }
        return target;
    }
}
