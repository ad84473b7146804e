package io.zarrengine.zarr.device;

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
 * Who decodes what, in a simulation with a clock of its own: workers, and a device with batches.
 */
final class ChunksAheadTest {
    private static final int WORKERS = 16;
    private static final long CHUNK_BYTES = 64 << 10;
    private static final long HAND_OVER_NANOS = 1_000;

    private final DecodeCosts costs = new DecodeCosts(WORKERS, DeviceOptions.of(0, WORKERS));
    private final ChunksAhead ahead = new ChunksAhead(costs);

    private final ArrayDeque<Long> batches = new ArrayDeque<>(); // the first is being decoded
    private long described;
    private long ends; // when the first is done
    private long hostChunks;

    /** Returns when all chunks are decoded, in nanoseconds. */
    private long read(NvcompFormat format, long chunks) {
        long[] free = new long[WORKERS]; // when each worker is
        Arrays.fill(free, 1);
        long left = chunks;
        long now = 1;
        while (left > 0) {
            int worker = 0;
            for (int i = 1; i < WORKERS; i++) {
                worker = free[i] < free[worker] ? i : worker;
            }
            now = free[worker];
            runDevice(format, now);
            left--;
            if (ahead.isHelpDue(format, CHUNK_BYTES, left + 1 + described, now)) {
                hostChunks++;
                free[worker] += Math.round(costs.hostNanos(format, CHUNK_BYTES, 1));
            } else {
                ahead.described(1);
                described++;
                free[worker] += HAND_OVER_NANOS;
            }
        }
        while (described > 0 || !batches.isEmpty()) {
            runDevice(format, now);
            now = batches.isEmpty() ? now : Math.max(now, ends);
        }
        return Math.max(now, Arrays.stream(free).max().orElseThrow());
    }

    /** What is there goes to an idle device, and half a batch or more behind a batch. */
    private void runDevice(NvcompFormat format, long now) {
        while (!batches.isEmpty() && now >= ends) {
            ahead.ended(batches.remove());
            ahead.begins(batches.isEmpty() ? 0 : ends);
            ends += batches.isEmpty() ? 0 : nanos(format, batches.peek());
        }
        boolean isIdle = batches.isEmpty();
        boolean isNext = batches.size() < 2 && described >= 4096;
        if (isIdle ? described > 0 : isNext) {
            long chunks = Math.min(described, costs.batchChunks(CHUNK_BYTES));
            described -= chunks;
            ahead.joined(chunks, chunks);
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
    @CsvSource({"4096", "16384", "65536"})
    void whereBothDecodeTheyTakeLittleMoreThanTheSumOfBothWould(long chunks) {
        double device = costs.deviceNanos(NvcompFormat.GZIP, CHUNK_BYTES, chunks);
        double host = costs.hostNanos(NvcompFormat.GZIP, CHUNK_BYTES, chunks);
        double ideal = 1 / (1 / device + 1 / host);
        double launches = costs.deviceNanos(NvcompFormat.GZIP, CHUNK_BYTES, 1);
        double took = read(NvcompFormat.GZIP, chunks);
        assertTrue(took < 1.06 * ideal + 2 * launches, took / 1e6 + " ms of " + ideal / 1e6);
        assertTrue(hostChunks > 0.15 * chunks, hostChunks + " by the workers");
        assertNothingIsAhead();
    }

    @Test
    void theDeviceDecodesAllWhereItIsFarFaster() {
        read(NvcompFormat.ZSTD, 16_384);
        assertEquals(0, hostChunks);
        assertNothingIsAhead();
    }

    /** Else no slot is left for what the workers decode. */
    @Test
    void theDeviceIsGivenNoMoreThanBatchesHold() {
        long batch = costs.batchChunks(CHUNK_BYTES);
        long manyMore = 1_000_000;
        ahead.joined(0, batch);
        ahead.described(batch - 1);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, manyMore, 1));
        ahead.described(1);
        assertTrue(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, manyMore, 1));
        ahead.described(-1);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, manyMore, 1));
        long large = 2 << 20; // of which a batch has 256
        assertTrue(ahead.isHelpDue(NvcompFormat.ZSTD, large, manyMore, 1));
    }

    private void assertNothingIsAhead() {
        long batch = costs.batchChunks(CHUNK_BYTES);
        ahead.described(2 * batch - 1);
        assertFalse(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, 1_000_000, 1));
        ahead.described(1);
        assertTrue(ahead.isHelpDue(NvcompFormat.GZIP, CHUNK_BYTES, 1_000_000, 1));
    }
}
