package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that combined checksums of parts equal the checksum of all bytes. */
final class CropChecksumTest {
    /** Returns two fixed seeds, then a new one; {@code -Dio.zarrengine.seed=N} replays one. */
    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void partsInAnyOrderMakeTheWhole(long seed) {
        Random random = new Random(seed);
        int[] sizes = {0, 1, 15, 16, 17, 4095, 4096, 4097, random.nextInt(100_000), 0};
        byte[] all = new byte[Arrays.stream(sizes).sum()];
        random.nextBytes(all);
        int[] begins = new int[sizes.length];
        for (int i = 1; i < sizes.length; i++) {
            begins[i] = begins[i - 1] + sizes[i - 1];
        }
        List<Integer> order = new ArrayList<>(IntStream.range(0, sizes.length).boxed().toList());
        Collections.shuffle(order, random);
        CropChecksum checksum = new CropChecksum(sizes.length);
        for (int i : order) {
            checksum.visit(i, MemorySegment.ofArray(all).asSlice(begins[i], sizes[i]));
        }
        assertEquals(crc32c(all), checksum.value());
    }

    /** The shift uses the bits of the length; this length has many. */
    @Test
    void aLongSecondPartIsShiftedInFewSteps() {
        byte[] zeros = new byte[10_000_019];
        CRC32C whole = new CRC32C();
        whole.update(1);
        whole.update(zeros);
        int first = (int) crc32c(new byte[] {1});
        int combined = CropChecksum.combine(first, (int) crc32c(zeros), zeros.length);
        assertEquals((int) whole.getValue(), combined);
    }

    @Test
    void nothingIsZero() {
        assertEquals(0, new CropChecksum(0).value());
    }

    private static long crc32c(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return checksum.getValue();
    }
}
