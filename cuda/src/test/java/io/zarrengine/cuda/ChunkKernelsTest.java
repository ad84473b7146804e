package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels against their slow twins, bit by bit, with guard bytes around every target. */
@NeedsDevice
final class ChunkKernelsTest {
    private static final int GUARD_BYTES = 256;
    private static final byte GUARD = (byte) 0xA5;
    private static final int[] ELEMENT_SIZES = {1, 2, 3, 4, 5, 8, 12, 16};
    private static final int[] BLOCK_SIZES = {
        1, 7, 8, 15, 16, 17, 63, 64, 65, 1000, 4095, 4096, 4097, 65_536, 100_001
    };

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void unshufflesBlocksOfEverySize(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Lab.run(lab -> {
            for (Shuffle shuffle : Shuffle.values()) {
                for (int elementBytes : ELEMENT_SIZES) {
                    unshuffle(lab, random, shuffle, elementBytes);
                }
            }
        });
    }

    /** All block sizes in one launch, each at an odd place or an aligned one. */
    private static void unshuffle(
            Lab lab, SplittableRandom random, Shuffle shuffle, int elementBytes)
            throws IOException {
        int[] places = new int[BLOCK_SIZES.length];
        int end = GUARD_BYTES;
        for (int i = 0; i < places.length; i++) {
            places[i] = end + (random.nextBoolean() ? 0 : random.nextInt(16));
            end = (places[i] + BLOCK_SIZES[i] + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
        }
        byte[] source = new byte[end];
        byte[] expected = new byte[end];
        Arrays.fill(expected, GUARD);
        for (int i = 0; i < places.length; i++) {
            byte[] plain = new byte[BLOCK_SIZES[i]];
            random.nextBytes(plain);
            byte[] shuffled =
                    SlowShuffle.shuffled(shuffle, plain, elementBytes, Math.max(1, plain.length));
            System.arraycopy(shuffled, 0, source, places[i], plain.length);
            System.arraycopy(plain, 0, expected, places[i], plain.length);
        }
        byte[] target = run(lab, source, shuffle, elementBytes, places);
        assertArrayEquals(expected, target, shuffle + ", elements of " + elementBytes);
    }

    private static byte[] run(
            Lab lab, byte[] source, Shuffle shuffle, int elementBytes, int[] places)
            throws IOException {
        long descriptorBytes = ShuffleBatch.DESCRIPTOR_BYTES * places.length;
        try (ChunkKernels kernels = ChunkKernels.open(lab.device);
                Allocation from = lab.pool.allocate(source.length, lab.stream);
                Allocation to = lab.pool.allocate(source.length, lab.stream);
                Allocation descriptors = lab.pool.allocate(descriptorBytes, lab.stream)) {
            lab.upload(source, from.slice());
            lab.stream.set(to.slice(), GUARD);
            ShuffleBatch batch = new ShuffleBatch(lab.pinned.asSlice(0, descriptorBytes));
            for (int i = 0; i < places.length; i++) {
                batch.add(
                        shuffle,
                        from.slice().slice(places[i], BLOCK_SIZES[i]),
                        to.slice().slice(places[i], BLOCK_SIZES[i]),
                        elementBytes);
            }
            lab.stream.copyToDevice(batch.descriptors(), descriptors.slice());
            kernels.unshuffle(lab.stream, batch, descriptors.slice());
            lab.stream.synchronize();
            return lab.download(to.slice().slice(0, source.length));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void placesPiecesOfEveryKind(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Lab.run(lab -> {
            for (int launch = 0; launch < 10; launch++) {
                List<KernelCase> pieces = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    pieces.add(new PlaceCase(random));
                }
                launch(lab, pieces, ChunkKernels::place);
            }
        });
    }

    /** NaNs, infinities and the largest numbers too, of every type to every other. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void convertsPiecesOfEveryKind(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Lab.run(lab -> {
            for (int launch = 0; launch < 10; launch++) {
                List<KernelCase> pieces = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    pieces.add(new ConvertCase(random));
                }
                launch(lab, pieces, ChunkKernels::convert);
            }
        });
    }

    /** One of our kernels that take pieces. */
    private interface Launch {
        void queue(
                ChunkKernels kernels, CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
                throws CudaException;
    }

    /** All pieces in one launch, each with its own source and target. */
    private static void launch(Lab lab, List<KernelCase> pieces, Launch launch) throws IOException {
        long descriptorBytes = PieceBatch.DESCRIPTOR_BYTES * pieces.size();
        long bytes = pieces.stream().mapToLong(ChunkKernelsTest::bytes).sum();
        try (ChunkKernels kernels = ChunkKernels.open(lab.device);
                Allocation memory = lab.pool.allocate(bytes, lab.stream);
                Allocation descriptors = lab.pool.allocate(descriptorBytes, lab.stream)) {
            byte[] image = new byte[Math.toIntExact(bytes)];
            Arrays.fill(image, GUARD);
            MemorySegment staged = lab.pinned.asSlice(lab.pinned.byteSize() - descriptorBytes);
            PieceBatch batch = new PieceBatch(staged);
            List<Integer> targets = add(batch, memory.slice(), image, pieces);
            lab.upload(image, memory.slice());
            lab.stream.copyToDevice(batch.descriptors(), descriptors.slice());
            launch.queue(kernels, lab.stream, batch, descriptors.slice());
            byte[] after = lab.download(memory.slice().slice(0, bytes));
            for (int i = 0; i < pieces.size(); i++) {
                byte[] expected = pieces.get(i).targetAfter();
                System.arraycopy(expected, 0, image, targets.get(i), expected.length);
                int end = targets.get(i) + expected.length;
                byte[] placed = Arrays.copyOfRange(after, targets.get(i), end);
                assertArrayEquals(expected, placed, pieces.get(i)::toString);
            }
            assertArrayEquals(image, after, "bytes between the targets");
        }
    }

    /** Lays sources and targets out in one image; returns where the targets begin. */
    private static List<Integer> add(
            PieceBatch batch, DeviceSlice memory, byte[] image, List<KernelCase> pieces) {
        List<Integer> targets = new ArrayList<>();
        int at = 0;
        for (KernelCase piece : pieces) {
            byte[] encoded = piece.encoded();
            byte[] before = piece.targetBefore();
            int target = at + aligned(encoded.length);
            System.arraycopy(encoded, 0, image, at, encoded.length);
            System.arraycopy(before, 0, image, target, before.length);
            piece.addTo(
                    batch, memory.slice(at, encoded.length), memory.slice(target, before.length));
            targets.add(target);
            at = target + aligned(before.length);
        }
        return targets;
    }

    private static long bytes(KernelCase piece) {
        return (long) aligned(piece.encoded().length) + aligned(piece.targetBefore().length);
    }

    /** The next aligned place with at least so many guard bytes between. */
    private static int aligned(int bytes) {
        return (bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    }
}
