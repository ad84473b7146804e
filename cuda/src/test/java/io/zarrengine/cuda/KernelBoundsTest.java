package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the kernels with an allocation for each source and each target. The piece begins or ends
 * with the allocation, and the other bytes are never written. A read outside a source changes no
 * output, but under compute-sanitizer (bin/test-gpu --sanitize) it leaves an allocation or reads
 * bytes that were never written.
 */
@NeedsDevice
final class KernelBoundsTest {
    private static final int PIECES = 60;

    private final List<Allocation> allocations = new ArrayList<>();

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void piecesStayWithinTheirMemory(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        check(random, () -> new PlaceCase(random), ChunkKernels::place);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.cuda.PlaceCase#seeds")
    void convertedPiecesStayWithinTheirMemory(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        check(random, () -> new ConvertCase(random), ChunkKernels::convert);
    }

    private void check(
            SplittableRandom random, Supplier<KernelCase> cases, KernelCase.Launch launch)
            throws IOException {
        Lab.run(lab -> {
            List<KernelCase> pieces = new ArrayList<>();
            List<DeviceSlice> targets = new ArrayList<>();
            long bytes = PIECES * PieceBatch.DESCRIPTOR_BYTES;
            PieceBatch batch = new PieceBatch(lab.pinned.asSlice(Lab.PINNED_BYTES - bytes));
            for (int i = 0; i < PIECES; i++) {
                KernelCase piece = cases.get();
                DeviceSlice source = upload(lab, random, piece.encoded());
                DeviceSlice target = upload(lab, random, piece.targetBefore());
                piece.addTo(batch, source, target);
                pieces.add(piece);
                targets.add(target);
            }
            try (ChunkKernels kernels = ChunkKernels.open(lab.device)) {
                launch.queue(kernels, lab.stream, batch, descriptors(lab, batch));
                lab.stream.synchronize();
            }
            for (int i = 0; i < PIECES; i++) {
                byte[] expected = pieces.get(i).targetAfter();
                assertArrayEquals(expected, lab.download(targets.get(i)), pieces.get(i)::toString);
            }
            free();
        });
    }

    private DeviceSlice descriptors(Lab lab, PieceBatch batch) throws IOException {
        Allocation memory = lab.pool.allocate(batch.descriptors().byteSize(), lab.stream);
        allocations.add(memory);
        lab.stream.copyToDevice(batch.descriptors(), memory.slice());
        return memory.slice();
    }

    private DeviceSlice upload(Lab lab, SplittableRandom random, byte[] bytes) throws IOException {
        DeviceSlice memory = allocate(lab, random, bytes.length);
        lab.upload(bytes, memory);
        return memory;
    }

    /** The pool rounds sizes up. Returns the first bytes of an allocation, or the last ones. */
    private DeviceSlice allocate(Lab lab, SplittableRandom random, int bytes) throws IOException {
        Allocation memory = lab.pool.allocate(bytes, lab.stream);
        allocations.add(memory);
        DeviceSlice all = memory.slice();
        return all.slice(random.nextBoolean() ? 0 : all.byteSize() - bytes, bytes);
    }

    private void free() {
        allocations.forEach(Allocation::close);
        allocations.clear();
    }
}
