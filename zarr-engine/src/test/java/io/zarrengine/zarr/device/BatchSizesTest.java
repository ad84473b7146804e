package io.zarrengine.zarr.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Into which batches a read is divided, in a simulation with a clock of its own: slots are copied
 * one after another, and the device takes for a batch what nvCOMP's zstd takes on an H100.
 */
final class BatchSizesTest {
    private static final BatchSizes SIZES = new BatchSizes(132);
    private static final int WAVE = 32 * 132;

    /** A device that gets slots of chunks of 64 KiB, one after another. */
    private static final class Simulated {
        private static final double COPY_MICROS = 0.69; // of a chunk

        private final BatchSizes sizes;
        private final int wave;
        private final int batchChunks;
        private final int ofSlot;
        private final List<Integer> batches = new ArrayList<>();
        private final ArrayDeque<Double> ends = new ArrayDeque<>(); // of batches that are launched
        private int current; // chunks
        private double now;
        private double lastEnd;

        Simulated(int multiprocessors, int batchChunks, int ofSlot) {
            sizes = new BatchSizes(multiprocessors);
            wave = 32 * multiprocessors;
            this.batchChunks = batchChunks;
            this.ofSlot = ofSlot;
        }

        private double decodeMicros(int chunks) {
            int stepsBefore = (chunks - 1) / wave;
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
            return (double) current / batchChunks;
        }

        private boolean endsBefore(int next, long toCome) {
            boolean comesInTime = !ends.isEmpty() && now + toCome * COPY_MICROS < ends.peek();
            return ends.size() <= 1
                    && sizes.isWhole(current, next)
                    && !(comesInTime && BatchSizes.fits(current, share(), toCome));
        }

        /** Returns when a read is decoded, in us. */
        double read(int chunks) {
            int toCome = chunks;
            while (toCome > 0) {
                int next = Math.min(ofSlot, toCome);
                if (current + next > batchChunks || endsBefore(next, toCome)) {
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
        double best(int chunks) {
            int slots = Math.ceilDiv(chunks, ofSlot);
            double[] ends = new double[slots + 1]; // of so many slots
            for (int to = 1; to <= slots; to++) {
                int before = Math.min(to * ofSlot, chunks);
                ends[to] = Double.MAX_VALUE;
                for (int from = to - 1;
                        from >= 0 && before - from * ofSlot <= batchChunks;
                        from--) {
                    double begin = Math.max(ends[from], before * COPY_MICROS);
                    ends[to] = Math.min(ends[to], begin + decodeMicros(before - from * ofSlot));
                }
            }
            return ends[slots];
        }
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
        Simulated device = new Simulated(132, 2 * WAVE, ofSlot);
        device.read(chunks);
        assertEquals(
                expected,
                device.batches.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /** The first three are the device that the times were measured on. */
    @ParameterizedTest(name = "{0} multiprocessors, batches of {1}, slots of {2}: {3}")
    @CsvSource({
        "132, 8448, 64, 1.09",
        "132, 8448, 113, 1.09",
        "132, 8448, 128, 1.09",
        "132, 2112, 64, 1.25",
        "148, 8448, 113, 1.12",
        "300, 8448, 113, 1.15",
        "60, 8448, 113, 1.25",
        "20, 8448, 113, 1.25"
    })
    void readsTakeLittleMoreThanTheyHaveTo(
            int multiprocessors, int batchChunks, int ofSlot, double most) {
        for (int chunks = 1000; chunks <= 40_000; chunks += 250) {
            Simulated device = new Simulated(multiprocessors, batchChunks, ofSlot);
            double ratio = device.read(chunks) / device.best(chunks);
            assertTrue(ratio < most, chunks + " chunks: " + ratio + ", " + device.batches);
        }
    }

    @ParameterizedTest(name = "{0} of a batch of {1}, {2} to come: {3}")
    @CsvSource({
        "1023, 8448, 100000, false", // fewer take nearly as long
        "1024, 8448, 7296, false", // two waves, each half a slot less
        "1024, 8448, 7297, true", // and one chunk
        "1024, 8448, 8321, false", // and 1,025
        "1025, 8448, 8320, true",
        "4160, 8448, 8320, true",
        "4159, 8448, 8321, false",
        "4000, 8448, 1023, false", // wait for the rest
        "4000, 8448, 1025, true",
        "2000, 2112, 1023, true", // for which there is no room
        "2048, 2112, 4096, true", // and two batches, each half a slot less
        "1500, 2112, 4644, false"
    })
    void aBatchBeginsWithWhatIsLeftOver(int chunks, int most, long toCome, boolean expected) {
        assertEquals(expected, SIZES.isFirst(chunks, (double) chunks / most, toCome));
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "4100, 124, false",
        "4100, 125, true",
        "4224, 1, true",
        "4225, 4000, false",
        "8400, 49, true",
        "1000, 4000, false" // too few to be a batch
    })
    void aWaveEndsBeforeTheSlotThatBeginsAnother(int chunks, int next, boolean expected) {
        assertEquals(expected, SIZES.isWhole(chunks, next));
    }

    @Test
    void aBatchHasRoomForAsMuchAsIsLeft() {
        assertTrue(BatchSizes.fits(1000, 0.25, 3000));
        assertFalse(BatchSizes.fits(1000, 0.25, 3001));
        assertTrue(BatchSizes.fits(1, 0, 1_000_000));
    }
}
