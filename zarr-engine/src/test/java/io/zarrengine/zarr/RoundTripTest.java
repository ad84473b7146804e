package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random arrays, written and read back through every path. The slow twin computes the elements one
 * by one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoundTripTest {
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = (byte) 0xA5;

    private ZarrEngine engine;

    /**
     * Sixty fixed seeds, then a fresh one; {@code -Dio.zarrengine.seed=N} replays one, {@code
     * -Dio.zarrengine.seeds=N} takes more fixed ones.
     */
    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        long fixed = Long.getLong("io.zarrengine.seeds", 60);
        return LongStream.concat(LongStream.range(0, fixed), LongStream.of(fresh));
    }

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomMetadata arrays = new RandomMetadata(random);
        ArrayMetadata metadata = arrays.next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int i = 0; i < 12; i++) {
                BoxPositions box = arrays.box(metadata.shape());
                readAndCompare(array, sample, box, random.nextInt(4));
            }
        }
    }

    private static void readAndCompare(
            ZarrArray array, SampleArray sample, BoxPositions box, int path) {
        byte[] expected = sample.expected(box);
        Selection selection = box.selection();
        byte[] actual;
        switch (path) {
            case 0 -> {
                try (HostTensor tensor = array.read(selection)) {
                    actual = tensor.segment().toArray(JAVA_BYTE);
                }
            }
            case 1 -> {
                try (HostTensor tensor = array.readAsync(selection).join()) {
                    actual = tensor.segment().toArray(JAVA_BYTE);
                }
            }
            case 2 -> {
                actual = new byte[expected.length];
                array.read(selection, MemorySegment.ofArray(actual));
            }
            default -> actual = readBetweenGuards(array, selection, expected.length);
        }
        assertArrayEquals(expected, actual, selection::toString);
    }

    private static byte[] readBetweenGuards(ZarrArray array, Selection selection, int bytes) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(bytes + 2L * GUARD_BYTES, 1);
            all.fill(GUARD);
            MemorySegment target = all.asSlice(GUARD_BYTES, bytes);
            array.readAsync(selection, target).join();
            byte[] guard = new byte[GUARD_BYTES];
            Arrays.fill(guard, GUARD);
            assertArrayEquals(guard, all.asSlice(0, GUARD_BYTES).toArray(JAVA_BYTE));
            assertArrayEquals(guard, all.asSlice(GUARD_BYTES + bytes).toArray(JAVA_BYTE));
            return target.toArray(JAVA_BYTE);
        }
    }
}
