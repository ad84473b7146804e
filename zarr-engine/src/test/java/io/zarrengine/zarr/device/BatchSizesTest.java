package io.zarrengine.zarr.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Into which batches a read is divided, in a simulation with a clock of its own: slots are copied
 * one after another, and the device takes for a batch what nvCOMP's zstd takes on an H100.
 */
final class BatchSizesTest {
    private static final int MULTIPROCESSORS = 132;
    private static final int WAVE = 32 * MULTIPROCESSORS;
    private static final int BATCH_CHUNKS = 2 * WAVE;
    private static final double COPY_MICROS = 0.69; // of a chunk

    private final BatchSizes sizes = new BatchSizes(MULTIPROCESSORS);
    private final List<Integer> batches = new ArrayList<>();
    private final ArrayDeque<Double> ends = new ArrayDeque<>(); // of batches that are launched
    private int current; // chunks
    private double now;
    private double lastEnd;

    private static double decodeMicros(int chunks) {
        int stepsBefore = (chunks - 1) / WAVE;
        return 2_700 + 1_800 * stepsBefore + 0.48 * chunks;
    }

    private void launch() {
        lastEnd = Math.max(now, lastEnd) + decodeMicros(current);
        ends.add(lastEnd);
        batches.add(current);
        current = 0;
    }

    private void pass(double micros) {
        now += micros;
        while (!ends.isEmpty() && ends.peek() <= now) {
            ends.remove();
        }
    }

    private double share() {
        return (double) current / BATCH_CHUNKS;
    }

    private boolean endsBefore(int next, long toCome) {
        boolean comesInTime = !ends.isEmpty() && now + toCome * COPY_MICROS < ends.peek();
        return ends.size() <= 1
                && sizes.isWhole(current, next)
                && !(comesInTime && BatchSizes.fits(current, share(), toCome));
    }

    /** Returns when a read is decoded, in us. */
    private double read(int chunks, int ofSlot) {
        int toCome = chunks;
        while (toCome > 0) {
            int next = Math.min(ofSlot, toCome);
            if (current + next > BATCH_CHUNKS || endsBefore(next, toCome)) {
                launch();
                if (ends.size() == 3) { // As many as there are.
                    pass(ends.peek() - now);
                }
            }
            current += next;
            toCome -= next;
            pass(next * COPY_MICROS);
            if (ends.isEmpty() && toCome > 0 && sizes.isFirst(current, share(), toCome)) {
                launch();
            }
        }
        launch();
        return lastEnd;
    }

    /** Returns when a read can be decoded at best, in us. */
    private static double best(int chunks, int ofSlot) {
        int slots = Math.ceilDiv(chunks, ofSlot);
        double[] ends = new double[slots + 1]; // of so many slots
        for (int to = 1; to <= slots; to++) {
            int before = Math.min(to * ofSlot, chunks);
            ends[to] = Double.MAX_VALUE;
            for (int from = to - 1; from >= 0 && before - from * ofSlot <= BATCH_CHUNKS; from--) {
                double begin = Math.max(ends[from], before * COPY_MICROS);
                ends[to] = Math.min(ends[to], begin + decodeMicros(before - from * ofSlot));
            }
        }
        return ends[slots];
    }

    @ParameterizedTest(name = "{0} chunks in slots of {1} in batches of {2}")
    @CsvSource({
        "16384, 128, '3968 4224 8192'",
        "16384, 113, '3955 4181 8248'",
        "8448, 64, '1024 4224 3200'",
        "4000, 100, '4000'",
        "5000, 100, '1100 3900'"
    })
    void readsAreDividedIntoWholeWaves(int chunks, int ofSlot, String expected) {
        read(chunks, ofSlot);
        assertEquals(
                expected, batches.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    @ParameterizedTest(name = "slots of {0}")
    @ValueSource(ints = {64, 113, 128})
    void readsTakeLittleMoreThanTheyHaveTo(int ofSlot) {
        for (int chunks = 1000; chunks <= 40_000; chunks += 250) {
            BatchSizesTest one = new BatchSizesTest();
            double ratio = one.read(chunks, ofSlot) / best(chunks, ofSlot);
            assertTrue(ratio < 1.09, chunks + " chunks: " + ratio + ", " + one.batches);
        }
    }
}
