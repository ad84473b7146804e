package io.zarrengine.cli;

import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Reads random crops of an array, several at once, and measures.
 *
 * @param crops how many were read
 * @param seconds how long it took
 * @param before the engine's counters when it began
 * @param after the engine's counters when it ended
 */
record CropRun(int crops, double seconds, EngineMetrics before, EngineMetrics after) {
    private static final int IN_FLIGHT = 8;
    private static final long SEED = 1;

    /** Is shown a crop that was read. */
    @FunctionalInterface
    interface Visitor {
        void visit(long[] offset, MemorySegment elements);
    }

    /** A crop on its way. */
    private static final class Pending {
        private final long[] offset;
        private final MemorySegment target;
        private final CompletableFuture<Void> read;

        Pending(long[] offset, MemorySegment target, CompletableFuture<Void> read) {
            this.offset = offset;
            this.target = target;
            this.read = read;
        }
    }

    /** Reads crops at random places. */
    static CropRun run(
            ZarrEngine engine, ZarrArray array, long[] crop, int crops, Visitor visitor) {
        SplittableRandom random = new SplittableRandom(SEED);
        long bytes = array.bytesOf(Selection.box(new long[crop.length], crop));
        Queue<Pending> pending = new ArrayDeque<>();
        try (Arena arena = Arena.ofShared()) {
            Queue<MemorySegment> targets = new ArrayDeque<>();
            for (int i = 0; i < IN_FLIGHT; i++) {
                targets.add(arena.allocate(bytes, Long.BYTES));
            }
            EngineMetrics before = engine.metrics();
            long begin = System.nanoTime();
            for (int i = 0; i < crops + IN_FLIGHT; i++) {
                if (pending.size() == IN_FLIGHT || i >= crops) {
                    finishOne(pending, targets, visitor);
                }
                if (i < crops) {
                    long[] offset = randomOffset(random, array.shape(), crop);
                    MemorySegment target = targets.remove();
                    Selection box = Selection.box(offset, crop);
                    pending.add(new Pending(offset, target, array.readAsync(box, target)));
                }
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new CropRun(crops, seconds, before, engine.metrics());
        }
    }

    private static void finishOne(
            Queue<Pending> pending, Queue<MemorySegment> targets, Visitor visitor) {
        Pending done = pending.poll();
        if (done != null) {
            done.read.join();
            visitor.visit(done.offset, done.target);
            targets.add(done.target);
        }
    }

    private static long[] randomOffset(SplittableRandom random, long[] shape, long[] crop) {
        long[] offset = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            offset[d] = random.nextLong(shape[d] - crop[d] + 1);
        }
        return offset;
    }

    double deliveredBytesPerSecond() {
        return (after.bytesDelivered() - before.bytesDelivered()) / seconds;
    }

    double chunksPerSecond() {
        return (after.chunksDecoded() - before.chunksDecoded()) / seconds;
    }

    long reads() {
        return after.reads() - before.reads();
    }

    long submissions() {
        return after.submissions() - before.submissions();
    }

    /** Bytes decoded for each byte delivered. */
    double amplification() {
        return (double) (after.bytesDecoded() - before.bytesDecoded())
                / (after.bytesDelivered() - before.bytesDelivered());
    }
}
