package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.gpu.chunk.SlotAddresses;
import io.zarrengine.gpu.slot.FillCopies;
import io.zarrengine.gpu.slot.SlotFill;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.DecodeCosts;
import io.zarrengine.gpu.tuning.LaunchRule;
import io.zarrengine.gpu.tuning.Workload;
import io.zarrengine.zarr.device.DeviceCounters;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * The batches of a device: the open batch, which is being filled, the launched batches in order,
 * and the free ones. Owner: the pump. Threads: the device's.
 */
final class BatchQueue {
    private final GpuMemory memory;
    private final Workload workload;
    private final DecodeCosts costs;
    private final ChunksAhead ahead;
    private final DeviceCounters counters;
    private final ArrayDeque<DeviceBatch> free = new ArrayDeque<>();
    private final ArrayDeque<DeviceBatch> launched = new ArrayDeque<>();
    private final FillCopies copying;
    private final LaunchRule rule;
    private DeviceBatch current; // the open batch, or null
    private double unitsOfChunk = 1; // of the slots added last
    private long lastDoneNanos = System.nanoTime();
    private long lastMoveNanos = lastDoneNanos;

    /**
     * {@code copying} holds the slots that are being copied to the open batch or to earlier ones.
     */
    BatchQueue(
            CudaDevice device,
            GpuMemory memory,
            FillCopies copying,
            Workload workload,
            DecodeCosts costs,
            ChunksAhead ahead,
            DeviceCounters counters) {
        this.memory = memory;
        this.copying = copying;
        this.workload = workload;
        this.costs = costs;
        this.ahead = ahead;
        this.counters = counters;
        rule = LaunchRule.of(memory.options, device.properties().multiprocessors(), new Now());
        free.addAll(memory.batches);
    }

    private final class Now implements LaunchRule.View {
        @Override
        public int launched() {
            return launched.size();
        }

        @Override
        public int chunks() {
            return current == null ? 0 : current.units();
        }

        @Override
        public double share() {
            return current.share();
        }

        @Override
        public long toCome() {
            return Math.round(workload.unbatched() * unitsOfChunk);
        }

        @Override
        public double nanosFor(long chunks) {
            long more = Math.round(chunks / unitsOfChunk) + copying.chunks();
            return current.nanosFor(more, System.nanoTime());
        }

        @Override
        public double nanosLeft() {
            return launched.peek().nanosLeft(costs, lastDoneNanos, System.nanoTime());
        }

        @Override
        public double nanosLeast() {
            return current == null ? 0 : current.nanosLeast(costs);
        }

        @Override
        public long idleNanos() {
            return System.nanoTime() - Math.max(current.begunNanos(), lastDoneNanos);
        }

        @Override
        public long stillNanos() {
            return System.nanoTime() - lastMoveNanos;
        }
    }

    /** {@return whether every launched batch is done} */
    boolean isIdle() {
        return launched.isEmpty();
    }

    /** Notes that a slot arrived, a batch finished, or the device thread slept. */
    void moved() {
        lastMoveNanos = System.nanoTime();
    }

    /** {@return the time of the last {@link #moved}} */
    long lastMoveNanos() {
        return lastMoveNanos;
    }

    /** {@return whether no slot can be added until a batch is done, which takes milliseconds} */
    boolean isFull() {
        return current == null && free.isEmpty();
    }

    /** {@return whether a batch is open for slots} Opens a free batch if none is open. */
    boolean tryOpen() {
        current = current == null ? free.poll() : current;
        return current != null;
    }

    /**
     * Adds a slot to the open batch. Does not add it if the batch has no room, or if the launch
     * rules end the batch before this slot.
     *
     * @return the addresses for the slot's bytes; null: launch the batch and add the slot to the
     *     next one
     */
    SlotAddresses tryAdd(SlotFill fill) {
        SlotAddresses places = rule.endsBefore(fill.units()) ? null : current.tryAdd(fill);
        if (current.chunks() > 0) {
            unitsOfChunk = (double) current.units() / current.chunks();
        }
        return places;
    }

    /** {@return the times of the open batch} */
    BatchTimes openTimes() {
        return current.times();
    }

    /** Launches the open batch if the device is idle and the batch is large enough. */
    void launchIfFirst() throws IOException {
        if (rule.isFirst()) {
            launch();
        }
    }

    /**
     * Launches the open batch if it is due: if it is large enough, or no more chunks arrive soon.
     * Returns false if it is not due.
     */
    boolean launchIfDue(boolean isHandedOver, boolean isAwaited) throws IOException {
        boolean isDue = rule.isDue(isHandedOver, isAwaited);
        if (isDue) {
            launch();
        }
        return isDue;
    }

    /** {@return whether an idle device should take the slots that workers have begun} */
    boolean takesBegunSlots() {
        return rule.takesBegunSlots();
    }

    void launch() throws IOException {
        DeviceBatch batch = current;
        current = null;
        counters.launched(batch.chunks(), batch.encodedChunks());
        if (launched.isEmpty()) {
            ahead.begins(System.nanoTime());
        }
        launched.add(batch); // before the calls: its chunks must end even if a call fails
        batch.launch(memory.copies, memory.work, memory.decoders, memory.scratch, memory.kernels);
    }

    /** Ends the batches that are done. Returns false if none is. */
    boolean finish(ChunkRescue rescue) throws IOException {
        boolean moved = false;
        while (!launched.isEmpty() && launched.peek().isDone()) {
            DeviceBatch batch = launched.peek();
            batch.times().seen(batch.chunks());
            lastDoneNanos = System.nanoTime();
            batch.forEachFailed((chunk, bytes) -> {
                if (rescue.tryRescue(batch, chunk, bytes)) {
                    counters.rescued();
                }
            });
            launched.remove();
            batch.end();
            ahead.begins(launched.isEmpty() ? 0 : lastDoneNanos);
            free.add(batch);
            moved = true;
        }
        return moved;
    }

    /** Ends all batches. They are done, or will never be. */
    void drop() {
        if (current != null) {
            launched.add(current);
            current = null;
        }
        while (!launched.isEmpty()) {
            DeviceBatch batch = launched.remove();
            batch.end();
            free.add(batch);
        }
    }
}
