package io.zarrengine.cli;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Reads crops of an array, several at once, and measures.
 *
 * <p>When a crop has arrived the next one is requested, so the allowed number is always in flight;
 * crops arrive in any order. Threads: one.
 */
final class CropRun {
    /**
     * Smaller results are in memory of the engine, which it reuses and which it writes short rows
     * to faster than to the caller's memory (docs/decisions/short-rows.md). Larger results would be
     * mapped each time, so they go to memory that is allocated once.
     */
    private static final long LARGE_BYTES = 8 << 20;

    private final ZarrEngine engine;
    private final ZarrArray array;
    private final List<Selection> crops;
    private final int inFlightMax;
    private final Target device; // null: the host
    private final BlockingQueue<Slot> ended = new LinkedBlockingQueue<>();

    /** Receives each crop that was read. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Receives a crop.
         *
         * @param crop its index in the list
         * @param elements in C order, copied from a GPU if necessary; valid only during the call
         */
        void visit(int crop, MemorySegment elements);
    }

    /** A read in progress. */
    private static final class Slot {
        private final MemorySegment memory; // null: results are in the engine's memory
        private int read;
        private long beginNanos;
        private long endNanos;
        private Throwable failure;
        private HostTensor onHost; // this and the next field: set until closed
        private DeviceTensor onDevice;

        Slot(MemorySegment memory) {
            this.memory = memory;
        }

        void closeTensor() {
            if (onHost != null) {
                onHost.close();
                onHost = null;
            }
            if (onDevice != null) {
                onDevice.close();
                onDevice = null;
            }
        }
    }

    /**
     * Prepares reads.
     *
     * @param crops crops of the array; at least one
     * @param inFlightMax most crops that are read at once
     */
    CropRun(ZarrEngine engine, ZarrArray array, List<Selection> crops, int inFlightMax) {
        this(engine, array, crops, inFlightMax, null);
    }

    /**
     * Prepares reads to a GPU.
     *
     * @param crops crops of the array; at least one
     * @param inFlightMax most crops that are read at once
     * @param device the GPU; null for the host
     */
    CropRun(
            ZarrEngine engine,
            ZarrArray array,
            List<Selection> crops,
            int inFlightMax,
            Target device) {
        this.engine = engine;
        this.array = array;
        this.crops = crops;
        this.inFlightMax = inFlightMax;
        this.device = device;
    }

    /**
     * Reads all crops.
     *
     * @param passes number of times
     * @param visitor receives each crop, on this thread; null for none
     */
    CropMeasure run(int passes, Visitor visitor) {
        long[] latencyNanos = new long[Math.multiplyExact(crops.size(), passes)];
        try (Arena arena = Arena.ofShared()) {
            Queue<Slot> idle = newSlots(arena, latencyNanos.length);
            openDevice();
            EngineMetrics before = engine.metrics();
            Duration cpuBefore = cpuTime();
            long begin = System.nanoTime();
            readAll(idle, latencyNanos, visitor);
            Duration wall = Duration.ofNanos(System.nanoTime() - begin);
            Duration cpu = cpuTime().minus(cpuBefore);
            return new CropMeasure(wall, cpu, latencyNanos, before, engine.metrics());
        }
    }

    /** Allocates slots. Memory is written once here, so that mapping it is not measured. */
    private Queue<Slot> newSlots(Arena arena, int reads) {
        long bytes = crops.stream().mapToLong(array::bytesOf).max().orElseThrow();
        boolean hasMemory = device == null && bytes >= LARGE_BYTES;
        Queue<Slot> slots = new ArrayDeque<>();
        for (int i = 0; i < Math.min(inFlightMax, reads); i++) {
            slots.add(new Slot(hasMemory ? arena.allocate(bytes, Long.BYTES) : null));
        }
        return slots;
    }

    /** Opens the device, so that this is not measured. */
    private void openDevice() {
        if (device != null) {
            long[] nothing = new long[array.shape().length];
            TargetOption.read(array, Selection.box(nothing, nothing), device).close();
        }
    }

    private void readAll(Queue<Slot> idle, long[] latencyNanos, Visitor visitor) {
        int started = 0;
        int finished = 0;
        try {
            while (finished < latencyNanos.length) {
                while (started < latencyNanos.length && !idle.isEmpty()) {
                    start(idle.remove(), started);
                    started++;
                }
                Slot slot = takeEnded();
                finished++;
                try {
                    finish(slot, latencyNanos, visitor);
                } finally {
                    slot.closeTensor();
                }
                idle.add(slot);
            }
        } finally {
            // The other reads still write to memory that is freed next.
            while (finished < started) {
                takeEnded().closeTensor();
                finished++;
            }
        }
    }

    private void start(Slot slot, int read) {
        slot.read = read;
        slot.beginNanos = System.nanoTime();
        Selection crop = crops.get(read % crops.size());
        if (device != null) {
            whenEnded(array.readAsync(crop, device), slot, tensor -> slot.onDevice = tensor);
        } else if (slot.memory != null) {
            whenEnded(array.readAsync(crop, slot.memory), slot, _ -> {});
        } else {
            whenEnded(array.readAsync(crop), slot, tensor -> slot.onHost = tensor);
        }
    }

    private <T> void whenEnded(CompletableFuture<T> future, Slot slot, Consumer<T> keep) {
        var _ =
                future.whenComplete((tensor, failure) -> {
                    slot.endNanos = System.nanoTime();
                    keep.accept(tensor); // null if the read failed
                    slot.failure = failure;
                    ended.add(slot);
                });
    }

    private void finish(Slot slot, long[] latencyNanos, Visitor visitor) {
        switch (slot.failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("reads fail unchecked", slot.failure);
        }
        latencyNanos[slot.read] = slot.endNanos - slot.beginNanos;
        if (slot.onDevice != null && slot.onDevice.hostReason().isPresent()) {
            // The measurement would be of another way of reading.
            String reason = slot.onDevice.hostReason().get();
            throw new DeviceUnavailableException(device.toString(), reason, null);
        }
        if (visitor != null) {
            visit(slot, visitor);
        }
    }

    private void visit(Slot slot, Visitor visitor) {
        int crop = slot.read % crops.size();
        if (slot.onDevice != null) {
            slot.onHost = slot.onDevice.toHost();
        }
        visitor.visit(
                crop,
                slot.onHost != null
                        ? slot.onHost.segment()
                        : slot.memory.asSlice(0, array.bytesOf(crops.get(crop))));
    }

    private Slot takeEnded() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ended.take();
                } catch (InterruptedException e) { // The memory is lent until all reads have ended.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the CPU time of all threads of this process, accurate to some milliseconds. */
    private static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
