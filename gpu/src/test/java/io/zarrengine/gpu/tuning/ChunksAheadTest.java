package io.zarrengine.gpu.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulates, with a clock of its own, which chunks workers decode, and which a device in batches.
 */
final class ChunksAheadTest {
    private static final int WORKERS = 16;
    private static final long CHUNK_BYTES = 64 << 10;
    private static final long HAND_OVER_NANOS = 1_000;
    private static final long MANY_MORE = 1_000_000;

    private final DecodeCosts costs = new DecodeCosts(WORKERS, DeviceOptions.of(0, WORKERS));
    private final ChunksAhead ahead = new ChunksAhead(costs);

    private final ArrayDeque<Long> batches = new ArrayDeque<>(); // the first is being decoded
    private long described;
    private long ends; // when the first is done
    private long hostChunks;

    /**
     * Returns when all chunks are decoded, in nanoseconds, if so many are thought to be.
     *
     * @param helps whether workers may decode any
     */
    private long read(NvcompFormat format, long chunks, long estimate, boolean helps) {
        hostChunks = 0;
        long[] free = new long[WORKERS]; // when each worker is
        Arrays.fill(free, 1);
        long now = 1;
        for (long done = 0; done < chunks; done++) {
            int worker = 0;
            for (int i = 1; i < WORKERS; i++) {
                worker = free[i] < free[worker] ? i : worker;
            }
            now = free[worker];
            runDevice(format, now, false);
            long rest = Math.max(1, estimate - done);
            if (helps
                    && costs.isHelpWelcome(format, CHUNK_BYTES)
                    && ahead.isHelpDue(format, CHUNK_BYTES, rest, now)) {
                hostChunks++;
                free[worker] += Math.round(costs.hostNanos(format, CHUNK_BYTES, 1));
            } else {
                ahead.add(CHUNK_BYTES);
                described++;
                free[worker] += HAND_OVER_NANOS;
            }
        }
        while (described > 0 || !batches.isEmpty()) {
            runDevice(format, now, true);
            now = batches.isEmpty() ? now : Math.max(now, ends);
        }
        assertEquals(0, ahead.byteSize());
        return Math.max(now, Arrays.stream(free).max().orElseThrow());
    }

    /** An idle device gets 1,024 chunks or more, and half a batch, a wave, goes behind a batch. */
    private void runDevice(NvcompFormat format, long now, boolean isAll) {
        while (!batches.isEmpty() && now >= ends) {
            ahead.add(-batches.remove() * CHUNK_BYTES);
            ahead.begins(batches.isEmpty() ? 0 : ends);
            ends += batches.isEmpty() ? 0 : nanos(format, batches.peek());
        }
        boolean isIdle = batches.isEmpty();
        boolean isNext = batches.size() < 2 && described >= costs.batchChunks(CHUNK_BYTES) / 2;
        boolean isDue = described >= 1024 || (isAll && described > 0);
        if (isIdle ? isDue : isNext) {
            long chunks = Math.min(described, costs.batchChunks(CHUNK_BYTES));
            described -= chunks;
            batches.add(chunks);
            if (isIdle) {
                ahead.begins(now);
                ends = now + nanos(format, chunks);
            }
        }
    }

    private long nanos(NvcompFormat format, long chunks) {
        return Math.round(costs.deviceNanos(format, CHUNK_BYTES, chunks));
    }

    /** Both end together: neither waits long for what the other one has begun. */
    @ParameterizedTest
    @CsvSource({"16384, 0.91", "65536, 0.86", "262144, 0.86"})
    void bothAreFasterThanTheDeviceAlone(long chunks, double most) {
        double alone = read(NvcompFormat.GZIP, chunks, chunks, false);
        double both = read(NvcompFormat.GZIP, chunks, chunks, true);
        assertTrue(both < most * alone, both / 1e6 + " ms, alone " + alone / 1e6);
    }

    /** A too low estimate of the chunks to come must not leave them to the workers. */
    @ParameterizedTest
    @CsvSource({"3000, 10", "16384, 1.5", "16384, 3", "16384, 32", "65536, 32"})
    void theyAreNotSlowerHoweverFewItIsThoughtToBe(long chunks, double times) {
        double alone = read(NvcompFormat.GZIP, chunks, chunks, false);
        double both = read(NvcompFormat.GZIP, chunks, Math.round(chunks / times), true);
        assertTrue(both <= alone, both / 1e6 + " ms, alone " + alone / 1e6);
    }

    @Test
    void theDeviceDecodesAllWhereItIsFarFaster() {
        read(NvcompFormat.ZSTD, 16_384, 16_384, true);
        assertEquals(0, hostChunks);
    }

    /** Else no slot is left for what the workers decode. */
    @Test
    void theDeviceIsGivenNoMoreThanBatchesHold() {
        long most = 2 * costs.batchChunks(CHUNK_BYTES) * CHUNK_BYTES;
        ahead.add(most - 1);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, MANY_MORE, 1));
        ahead.add(1);
        assertTrue(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, MANY_MORE, 1));
        ahead.add(-1);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, MANY_MORE, 1));
    }

    /** A few small chunks of another format are not much, in large ones. */
    @Test
    void whatIsAheadIsCountedInBytes() {
        ahead.add(600 * CHUNK_BYTES);
        assertFalse(ahead.isHelpDue(NvcompFormat.ZSTD, 2 << 20, 1, 1));
    }

    /** Or it would have nothing to do until workers have described more. */
    @Test
    void theDeviceIsGivenMoreBeforeItsBatchEnds() {
        long batch = costs.batchChunks(CHUNK_BYTES);
        ahead.add(batch * CHUNK_BYTES);
        ahead.begins(1);
        assertTrue(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, 1, 1));
        long nearlyDone =
                Math.round(costs.deviceNanos(NvcompFormat.GZIP, CHUNK_BYTES, batch) * 0.9);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, 1, nearlyDone));
        ahead.begins(0);
        assertTrue(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, 1, nearlyDone));
    }
}
