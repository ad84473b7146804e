package io.zarrengine.gpu.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Simulates with its own clock how a read is divided into batches. Slots come one after another,
 * and the device takes as long for a batch as nvCOMP's zstd on an H100.
 */
final class WaveLaunchRuleTest {
    private static final int WAVE = 32 * 132;
    private static final double COPY_MICROS = 0.69; // per chunk
    private static final double POLL_MICROS = 20;

    /** A device that receives slots with chunks of 64 KiB, one after another. */
    private static final class Simulated implements LaunchRule.View {
        private record Batch(int chunks, double launched, double end) {}

        private final LaunchRule rules;
        private final int wave;
        private final int batchChunks;
        private final int ofSlot;
        private final double chunkMicros; // between two chunks
        private final List<Batch> batches = new ArrayList<>();
        private final ArrayDeque<Batch> launched = new ArrayDeque<>();
        private int current; // chunks
        private long toCome;
        private double now;
        private double fixedMicros = 2_700; // per batch
        private double begun; // of the current batch
        private double lastMove;
        private double lastEnd;
        private double idleMost; // with something to decode

        Simulated(int multiprocessors, int batchChunks, int ofSlot, double chunkMicros) {
            this(multiprocessors, batchChunks, ofSlot, chunkMicros, false);
        }

        Simulated(
                int multiprocessors,
                int batchChunks,
                int ofSlot,
                double chunkMicros,
                boolean isFixed) {
            DeviceOptions options = DeviceOptions.of(0, 16);
            rules =
                    LaunchRule.of(
                            isFixed ? options.withFixedRules() : options, multiprocessors, this);
            wave = 32 * multiprocessors;
            this.batchChunks = batchChunks;
            this.ofSlot = ofSlot;
            this.chunkMicros = chunkMicros;
        }

        @Override
        public int launched() {
            return launched.size();
        }

        @Override
        public int chunks() {
            return current;
        }

        @Override
        public double share() {
            return (double) current / batchChunks;
        }

        @Override
        public long toCome() {
            return toCome;
        }

        @Override
        public double nanosFor(long chunks) {
            return 1e3 * chunks * (now - begun) / current;
        }

        @Override
        public double nanosLeft() {
            return 1e3 * (launched.peek().end - now);
        }

        @Override
        public double nanosLeast() {
            return 1e3 * fixedMicros;
        }

        private double idleMicros() {
            return now - Math.max(begun, lastEnd);
        }

        @Override
        public long idleNanos() {
            return (long) (1e3 * idleMicros());
        }

        @Override
        public long stillNanos() {
            return (long) (1e3 * (now - lastMove));
        }

        private double decodeMicros(int chunks) {
            int stepsBefore = (chunks - 1) / wave;
            return fixedMicros + 1_800 * stepsBefore + 0.48 * chunks;
        }

        private void launch() {
            lastEnd = Math.max(now, lastEnd) + decodeMicros(current);
            Batch batch = new Batch(current, now, lastEnd);
            launched.add(batch);
            batches.add(batch);
            current = 0;
        }

        private void passTo(double time) {
            now = Math.max(now, time);
            while (!launched.isEmpty() && launched.peek().end <= now) {
                launched.remove();
                lastMove = now;
            }
        }

        /** Polls like the device thread while nothing comes. */
        private void waitUntil(double time) {
            while (now < time) {
                passTo(Math.min(time, now + POLL_MICROS));
                boolean isWaiting = launched.isEmpty() && current > 0;
                idleMost = isWaiting ? Math.max(idleMost, idleMicros()) : idleMost;
                if (rules.isDue(false, false)) {
                    launch();
                }
            }
        }

        private void add(int chunks) {
            if (current + chunks > batchChunks || rules.endsBefore(chunks)) {
                launch();
                if (launched.size() == 3) { // all batches are launched
                    passTo(launched.peek().end);
                }
            }
            begun = current == 0 ? now : begun;
            current += chunks;
            toCome -= chunks;
            lastMove = now;
            if (rules.isFirst()) {
                launch();
            }
        }

        /** Returns the time in us at which a read is decoded. */
        double read(int chunks) {
            toCome = chunks;
            for (int i = 1; toCome > 0; i++) {
                waitUntil(Math.min(i * ofSlot, chunks) * chunkMicros);
                add((int) Math.min(ofSlot, toCome));
            }
            if (current > 0) {
                launch();
            }
            return lastEnd;
        }

        /** Returns the earliest possible time in us at which a read is decoded. */
        double best(int chunks) {
            int slots = Math.ceilDiv(chunks, ofSlot);
            double[] ends = new double[slots + 1]; // by number of slots
            for (int to = 1; to <= slots; to++) {
                int before = Math.min(to * ofSlot, chunks);
                ends[to] = Double.MAX_VALUE;
                for (int from = to - 1;
                        from >= 0 && before - from * ofSlot <= batchChunks;
                        from--) {
                    double begin = Math.max(ends[from], before * chunkMicros);
                    ends[to] = Math.min(ends[to], begin + decodeMicros(before - from * ofSlot));
                }
            }
            return ends[slots];
        }

        String sizes() {
            return batches.stream()
                    .map(batch -> String.valueOf(batch.chunks))
                    .collect(Collectors.joining(" "));
        }
    }

    @ParameterizedTest(name = "{0} chunks in slots of {1}: {2}")
    @CsvSource({
        "16384, 128, '3968 4224 8192'",
        "16384, 113, '3955 4181 8248'",
        "8448, 64, '1024 4224 3200'",
        "4000, 100, '4000'",
        "5000, 100, '1100 3900'"
    })
    void readsAreDividedIntoWholeWaves(int chunks, int ofSlot, String expected) {
        Simulated device = new Simulated(132, 2 * WAVE, ofSlot, COPY_MICROS);
        device.read(chunks);
        assertEquals(expected, device.sizes());
    }

    /** The twin: an idle device takes the first slot, a busy one a full batch. */
    @Test
    void theFixedRuleLaunchesWhatIsThere() {
        Simulated device = new Simulated(132, 2 * WAVE, 128, COPY_MICROS, true);
        device.read(16_384);
        assertEquals("128 3968 6656 5632", device.sizes());
    }

    /** The first three rows are the device on which the times were measured. */
    @ParameterizedTest(name = "{0} multiprocessors, batches of {1}, slots of {2}: {3}")
    @CsvSource({
        "132, 8448, 64, 1.09",
        "132, 8448, 113, 1.09",
        "132, 8448, 128, 1.09",
        "132, 2112, 64, 1.25",
        "148, 8448, 113, 1.12",
        "300, 8448, 113, 1.2",
        "60, 8448, 113, 1.25",
        "20, 8448, 113, 1.25"
    })
    void readsTakeLittleMoreThanTheyHaveTo(
            int multiprocessors, int batchChunks, int ofSlot, double most) {
        for (int chunks = 1000; chunks <= 40_000; chunks += 250) {
            Simulated device = new Simulated(multiprocessors, batchChunks, ofSlot, COPY_MICROS);
            double ratio = device.read(chunks) / device.best(chunks);
            assertTrue(ratio < most, chunks + " chunks: " + ratio + ", " + device.sizes());
        }
    }

    /**
     * Slots come too slowly for a wave or for a full batch, but steadily, so that there is always
     * progress. Another read's chunks may wait in the same batch.
     */
    @ParameterizedTest(name = "a chunk every {0} us")
    @ValueSource(doubles = {2, 5, 20})
    void noBatchWaitsLongForSlowSlots(double chunkMicros) {
        Simulated device = new Simulated(132, 2 * WAVE, 64, chunkMicros);
        device.read(20_000);
        assertTrue(device.batches.size() > 4, device.sizes());
        assertTrue(device.idleMost < 3_000 + 1_500 + 2 * POLL_MICROS, device.idleMost + " us");
    }

    /**
     * The last chunks are near when the batch has waited for long, so they need no batch of their
     * own.
     */
    @ParameterizedTest
    @ValueSource(ints = {4500, 6500})
    void theRestIsWaitedForIfItIsNear(int chunks) {
        Simulated device = new Simulated(300, 2 * WAVE, 113, COPY_MICROS);
        device.read(chunks);
        assertEquals(String.valueOf(chunks), device.sizes());
    }

    /** The wait ends although slots of other reads move. The rest is expected in 0.6 ms. */
    @Test
    void theRestIsWaitedForNoLongerThanTwice() {
        Simulated device = new Simulated(300, 2 * WAVE, 1000, COPY_MICROS);
        device.toCome = 1100;
        device.add(1000);
        for (int i = 0; i < 100; i++) {
            device.lastMove = device.now;
            device.waitUntil(100 * i);
        }
        assertEquals("1000", device.sizes());
        assertEquals(6_000, device.batches.getFirst().launched, 2 * POLL_MICROS);
    }

    /**
     * One warp takes long for a large chunk: two batches of such chunks would take twice as long as
     * one.
     */
    @Test
    void aBatchOfLargeChunksWaitsForAsLongAsOneTakes() {
        Simulated device = new Simulated(132, 528, 2, 16 * COPY_MICROS);
        device.fixedMicros = 14_000;
        device.read(500);
        assertEquals("500", device.sizes());
        device = new Simulated(132, 528, 2, 50);
        device.fixedMicros = 14_000;
        device.read(500);
        assertEquals(14_000, device.batches.getFirst().launched, 200);
    }

    /** With few chunks to come, the wait is a tenth of a launch. With many, it is 3 ms. */
    @ParameterizedTest(name = "{0} chunks, {1} to come: {2} us")
    @CsvSource({"10, 0, 270", "10, 1023, 270", "10, 1024, 3000", "2000, 1024, 3000"})
    void whatIsHereIsLaunchedIfNothingComes(int chunks, long toCome, double expected) {
        Simulated device = new Simulated(132, 2 * WAVE, 64, COPY_MICROS);
        device.toCome = chunks + toCome;
        device.add(chunks);
        assertEquals("", device.sizes());
        device.waitUntil(2 * expected);
        assertEquals(String.valueOf(chunks), device.sizes());
        assertEquals(expected, device.batches.getFirst().launched, 2 * POLL_MICROS);
    }

    /**
     * Workers bring no more chunks: an idle device takes the rest, and so does a device with its
     * last batch.
     */
    @Test
    void whatIsLeftIsLaunchedAtOnceIfWorkersAreDone() {
        Simulated device = new Simulated(132, 2 * WAVE, 64, COPY_MICROS);
        assertDue(device, 0, 0, "");
        assertDue(device, 10, 5, "10");
        assertDue(device, 1000, 0, "10"); // too few: the device has enough work
        assertDue(device, 24, 1, "10");
        assertDue(device, 0, 0, "10 1024");
    }

    /** The state at one moment, in which nothing moves. */
    private record Moment(
            int launched, int chunks, long toCome, double left, double least, long idle, long still)
            implements LaunchRule.View {
        static final double LEAST = 2_700; // us

        Moment(int launched, int chunks, long toCome, double left, long idle, long still) {
            this(launched, chunks, toCome, left, LEAST, idle, still);
        }

        @Override
        public double share() {
            return chunks / (2.0 * WAVE);
        }

        @Override
        public double nanosFor(long more) {
            return 1e3 * COPY_MICROS * more;
        }

        @Override
        public double nanosLeft() {
            return 1e3 * left;
        }

        @Override
        public double nanosLeast() {
            return chunks == 0 ? 0 : 1e3 * least;
        }

        @Override
        public long idleNanos() {
            return 1000 * idle;
        }

        @Override
        public long stillNanos() {
            return 1000 * still;
        }

        WaveLaunchRule rules() {
            return new WaveLaunchRule(new BatchSizes(132), this);
        }
    }

    @ParameterizedTest(name = "{0} launched, {1} chunks, {2} to come, {3} us left, {4} next: {5}")
    @CsvSource({
        "1, 4224, 10000, 9000, 64, true",
        "2, 4224, 10000, 9000, 64, false", // no memory for a third batch
        "1, 4200, 10000, 9000, 24, false", // the wave is not full
        "1, 4224, 4000, 3000, 64, false", // all fits, and comes in time
        "1, 4224, 4000, 2000, 64, true", // too late
        "1, 4224, 5000, 9000, 64, true", // no room for all
        "0, 4224, 4000, 3000, 64, true", // the device is idle
        "1, 4224, 0, 9000, 64, true" // more came than expected
    })
    void aBatchEndsWithAWaveUnlessTheRestComesInTime(
            int launched, int chunks, long toCome, double left, int next, boolean expected) {
        Moment now = new Moment(launched, chunks, toCome, left, 0, 0);
        assertEquals(expected, now.rules().endsBefore(next));
    }

    @ParameterizedTest(name = "{0} launched, {1} chunks, {2} to come, handed over {3}, awaited {4}")
    @CsvSource({
        "0, 10, 5000, false, false, false",
        "0, 10, 5000, false, true, true",
        "0, 10, 5000, true, false, true",
        "0, 1024, 0, false, false, true", // all chunks
        "0, 1023, 0, false, false, false",
        "0, 4160, 8320, false, false, true", // large enough for an idle device
        "1, 4160, 8320, false, false, false",
        "1, 1024, 0, true, false, true",
        "1, 1024, 0, false, false, false",
        "1, 1023, 0, true, false, false",
        "1, 1024, 1, true, false, false",
        "1, 10, 5000, false, true, false",
        "2, 2000, 0, true, true, false",
        "0, 0, 5000, true, true, false"
    })
    void aBatchIsDue(
            int launched,
            int chunks,
            long toCome,
            boolean isHandedOver,
            boolean isAwaited,
            boolean expected) {
        Moment now = new Moment(launched, chunks, toCome, 0, 0, 0);
        assertEquals(expected, now.rules().isDue(isHandedOver, isAwaited));
    }

    /** A batch waits for its last chunks as for many. If none are expected, it waits no longer. */
    @ParameterizedTest(name = "{0} chunks, {1} to come, idle for {2} us, still for {3}: {4}")
    @CsvSource({
        "1000, 500, 2900, 2900, false", // near
        "1000, 500, 2900, 3100, true",
        "1000, 1023, 2900, 280, false", // 0.7 ms
        "1000, 0, 2900, 280, true",
        "1000, 0, 2900, 260, false",
        "1000, 0, 3100, 10, true",
        "1000, 1000, 3100, 10, false",
        "1000, 1000, 6100, 10, true"
    })
    void aBatchIsLate(int chunks, long toCome, long idle, long still, boolean expected) {
        Moment now = new Moment(0, chunks, toCome, 0, idle, still);
        assertEquals(expected, now.rules().isDue(false, false));
    }

    /** If nothing must be decoded, elements are placed one by one as workers decode them. */
    @ParameterizedTest(name = "{0} us for a chunk, still for {1} us: {2}")
    @CsvSource({"2700, 280, false", "0, 280, true", "0, 190, false"})
    void whatIsOnlyPlacedIsNotHeldBack(double least, long still, boolean expected) {
        Moment now = new Moment(0, 10, 100, 0, least, 0, still);
        assertEquals(expected, now.rules().isDue(false, false));
    }

    /** A caller may wait for a small chunk in the batch. */
    @ParameterizedTest(name = "{0} us for a chunk, idle for {1}, still for {2}: {3}")
    @CsvSource({
        "14000, 13900, 10, false",
        "14000, 14100, 10, true",
        "56000, 19900, 10, false",
        "56000, 20100, 10, true",
        "56000, 10000, 2900, false",
        "56000, 10000, 3100, true"
    })
    void aBatchOfLargeChunksWaitsLonger(double least, long idle, long still, boolean expected) {
        Moment now = new Moment(0, 50, 0, 0, least, idle, still);
        assertEquals(expected, now.rules().isDue(false, false));
    }

    @ParameterizedTest(name = "{0} launched, {1} chunks, {2} to come, still for {3} us: {4}")
    @CsvSource({
        "0, 0, 0, 190, false",
        "0, 0, 0, 210, true",
        "0, 0, 1024, 2900, false",
        "0, 0, 1024, 3100, true",
        "1, 0, 0, 3100, false",
        "0, 10, 0, 280, true",
        "0, 10, 0, 260, false"
    })
    void whatWorkersHaveBegunIsTakenIfNothingComes(
            int launched, int chunks, long toCome, long still, boolean expected) {
        Moment now = new Moment(launched, chunks, toCome, 0, 0, still);
        assertEquals(expected, now.rules().takesBegunSlots());
    }

    private static void assertDue(Simulated device, int more, long toCome, String expected) {
        device.toCome = more + toCome;
        if (more > 0) {
            device.add(more);
        }
        if (device.rules.isDue(true, false)) {
            device.launch();
        }
        assertEquals(expected, device.sizes());
    }
}
