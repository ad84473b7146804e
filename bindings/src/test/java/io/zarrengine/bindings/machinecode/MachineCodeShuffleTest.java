package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares byte and bit unshuffling by machine code with loops over each byte and bit. Sources and
 * targets are next to inaccessible pages, and nothing between rows may be written.
 */
final class MachineCodeShuffleTest {
    private static final int BYTES_MAX = 1 << 16;
    private static final byte UNTOUCHED = 0x5A;

    private final Arena arena = Arena.ofConfined();
    private GuardedPages[] sources;
    private GuardedPages targets;

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeShuffle.denial());
        sources = new GuardedPages[Long.BYTES];
        for (int k = 0; k < sources.length; k++) {
            sources[k] = new GuardedPages(BYTES_MAX, arena);
        }
        targets = new GuardedPages(BYTES_MAX, arena);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    static LongStream seeds() {
        return MachineCodeZstdTest.seeds();
    }

    /** Otherwise the other tests might be skipped by mistake. */
    @Test
    void isThereOnProcessorsThatHaveWhatItNeeds() {
        ProcessorFlags.assertDecide(MachineCodeShuffle.denial(), "bmi1", "bmi2", "ssse3", "sse4_1");
        Optional<String> lack =
                MachineCodeShuffle.multipliesMatrices() ? Optional.empty() : Optional.of("no GFNI");
        ProcessorFlags.assertDecide(lack, "gfni");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void putsBytesOfRowsTogether(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            int elementBytes = 2 << random.nextInt(3);
            int elements = random.nextInt(random.nextInt(10) == 0 ? 1000 : 70);
            int count = random.nextInt(5);
            int from = random.nextInt(3) + 5 * 90;
            int stride = random.nextInt(3) == 0 ? random.nextInt(-90, 90) : elements + 7;
            int targetStride = elements * elementBytes + random.nextInt(20);
            boolean isReversed = random.nextBoolean();
            int to = random.nextInt(3) + (isReversed ? Math.max(count - 1, 0) * targetStride : 0);
            RowPlanes rows =
                    new RowPlanes(
                            elements,
                            count,
                            stride,
                            isReversed ? -targetStride : targetStride,
                            1,
                            0,
                            0);
            assertPutsTogether(random, elementBytes, from, to, rows);
        }
    }

    private void assertPutsTogether(
            SplittableRandom random, int elementBytes, int from, int to, RowPlanes rows) {
        long forward = Math.max(rows.sourceStride(), 0);
        int planeBytes = from + extent(rows.rows(), forward, rows.bytes());
        MemorySegment[] planes =
                IntStream.range(0, elementBytes)
                        .mapToObj(k -> filled(random, sources[k].either(random, planeBytes)))
                        .toArray(MemorySegment[]::new);
        int rowBytes = Math.toIntExact(rows.bytes() * elementBytes);
        int targetBytes =
                rows.targetStride() < 0
                        ? to + rowBytes
                        : to + extent(rows.rows(), rows.targetStride(), rowBytes);
        MemorySegment target = targets.either(random, targetBytes).fill(UNTOUCHED);
        MachineCodeShuffle.unshuffle(planes, from, target, to, rows);
        byte[] expected = new byte[targetBytes];
        Arrays.fill(expected, UNTOUCHED);
        for (int row = 0; row < rows.rows(); row++) {
            for (int i = 0; i < rows.bytes(); i++) {
                for (int b = 0; b < elementBytes; b++) {
                    long at = to + row * rows.targetStride() + (long) i * elementBytes + b;
                    long source = from + row * rows.sourceStride() + i;
                    expected[Math.toIntExact(at)] = planes[b].get(JAVA_BYTE, source);
                }
            }
        }
        assertArrayEquals(expected, target.toArray(JAVA_BYTE), rows::toString);
    }

    private static int extent(long rows, long stride, long bytes) {
        return rows == 0 ? 0 : Math.toIntExact((rows - 1) * stride + bytes);
    }

    private static MemorySegment filled(SplittableRandom random, MemorySegment memory) {
        byte[] bytes = new byte[Math.toIntExact(memory.byteSize())];
        random.nextBytes(bytes);
        return memory.copyFrom(MemorySegment.ofArray(bytes));
    }

    /** Uses matrix multiplication and the other way, if the CPU can multiply. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 16})
    void makesPlanesOfBits(int planes) {
        SplittableRandom random = new SplittableRandom(planes);
        for (int rowBytes = 0; rowBytes < 70; rowBytes++) {
            int bytes = 8 * planes * rowBytes;
            MemorySegment bits = filled(random, sources[0].either(random, bytes));
            byte[] expected = new byte[bytes];
            for (int k = 0; k < 8 * planes; k++) {
                for (int i = 0; i < 8 * rowBytes; i++) {
                    int bit = bits.get(JAVA_BYTE, (long) k * rowBytes + i / 8) >> i % 8 & 1;
                    expected[k / 8 * 8 * rowBytes + i] |= (byte) (bit << k % 8);
                }
            }
            for (boolean byMultiplying : new boolean[] {false, true}) {
                if (!byMultiplying || MachineCodeShuffle.multipliesMatrices()) {
                    MemorySegment target = targets.either(random, bytes).fill(UNTOUCHED);
                    MachineCodeShuffle.bitsToPlanes(bits, target, planes, rowBytes, byMultiplying);
                    assertArrayEquals(expected, target.toArray(JAVA_BYTE), "rows of " + rowBytes);
                }
            }
        }
    }

    @Test
    void whatIsNotInItsSegmentIsRefused() {
        MemorySegment[] planes = {sources[0].back(100), sources[1].back(99)};
        RowPlanes rows = new RowPlanes(50, 2, 50, 100, 1, 0, 0);
        MemorySegment target = targets.back(200).fill(UNTOUCHED);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 0, rows));
        planes[1] = sources[1].back(100);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 1, target, 0, rows));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 1, rows));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, targets.back(199), 0, rows));
        RowPlanes backwards = new RowPlanes(50, 2, 50, -100, 1, 0, 0);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 99, backwards));
        RowPlanes back = new RowPlanes(50, 2, -50, 100, 1, 0, 0);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 49, target, 0, back));
        RowPlanes many = new RowPlanes(50, 3, Long.MAX_VALUE, 100, 1, 0, 0);
        assertThrows(
                ArithmeticException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 0, many));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.bitsToPlanes(sources[0].back(127), target, 1, 16));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> MachineCodeShuffle.bitsToPlanes(target, sources[0].back(127), 1, 16));
        assertThrows(
                ArithmeticException.class,
                () -> MachineCodeShuffle.bitsToPlanes(sources[0].back(127), target, 2, 1L << 60));
        for (byte untouched : target.toArray(JAVA_BYTE)) {
            assertEquals(UNTOUCHED, untouched);
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        MemorySegment[] planes = {sources[0].back(100), sources[1].back(100)};
        MemorySegment target = targets.back(400);
        assertRefused(planes, target, new RowPlanes(-1, 2, 50, 100, 1, 0, 0));
        assertRefused(planes, target, new RowPlanes(1, 2, 50, 100, 2, 0, 0));
        RowPlanes rows = new RowPlanes(50, 2, 50, 100, 1, 0, 0);
        assertRefused(planes, target.asReadOnly(), rows);
        assertRefused(planes, MemorySegment.ofArray(new byte[400]), rows);
        assertRefused(new MemorySegment[] {planes[0], planes[1], planes[0]}, target, rows);
        MemorySegment heap = MemorySegment.ofArray(new byte[100]);
        assertRefused(new MemorySegment[] {planes[0], heap}, target, rows);
        assertThrows(
                IllegalArgumentException.class,
                () -> MachineCodeShuffle.bitsToPlanes(heap, target, 1, 4));
        assertThrows(
                IllegalArgumentException.class,
                () -> MachineCodeShuffle.bitsToPlanes(target, heap, 1, 4));
        assertThrows(
                IllegalArgumentException.class,
                () -> MachineCodeShuffle.bitsToPlanes(planes[0], target, -1, -4));
    }

    private static void assertRefused(
            MemorySegment[] planes, MemorySegment target, RowPlanes rows) {
        assertThrows(
                IllegalArgumentException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 0, rows));
    }

    @Test
    void whatHasEndedIsRefused() {
        Arena ended = Arena.ofShared();
        MemorySegment gone = ended.allocate(400);
        ended.close();
        MemorySegment target = targets.back(400);
        MemorySegment[] planes = {sources[0].back(100), sources[1].back(100)};
        RowPlanes rows = new RowPlanes(50, 2, 50, 100, 1, 0, 0);
        assertThrows(
                IllegalStateException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, gone, 0, rows));
        planes[1] = gone;
        assertThrows(
                IllegalStateException.class,
                () -> MachineCodeShuffle.unshuffle(planes, 0, target, 0, rows));
        assertThrows(
                IllegalStateException.class,
                () -> MachineCodeShuffle.bitsToPlanes(gone, target, 1, 4));
        assertThrows(
                IllegalStateException.class,
                () -> MachineCodeShuffle.bitsToPlanes(target, gone, 1, 4));
    }
}
