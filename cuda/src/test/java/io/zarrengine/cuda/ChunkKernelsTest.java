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

/** Compares the kernels with their slow twins, bit by bit, with guard bytes around every target. */
@NeedsDevice
final class ChunkKernelsTest {
    private static final int GUARD_BYTES = 256;
    private static final byte GUARD = (byte) 0xA5;

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

    /** Includes NaNs, infinities and the largest numbers, of every type to every other. */
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

    /** Runs all pieces in one launch, each with its own source and target. */
    private static void launch(Lab lab, List<KernelCase> pieces, KernelCase.Launch launch)
            throws IOException {
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

    /** Lays out sources and targets in one image; returns the offsets of the targets. */
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

    /** Returns the size with guard bytes, rounded up to the alignment. */
    private static int aligned(int bytes) {
        return (bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    }
}
