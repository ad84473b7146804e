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
 * <p>As soon as one has arrived the next is asked for, so as many as allowed are always in flight;
 * they arrive in any order. Threads: one.
 */
final class CropRun {
    /**
     * Smaller results lie in memory of the engine's, which it uses again and writes short rows to
     * faster than to a caller's (docs/decisions/short-rows.md). Larger ones would be mapped each
     * time, so they go to memory that is there.
     */
    private static final long LARGE_BYTES = 8 << 20;

    private final ZarrEngine engine;
    private final ZarrArray array;
    private final List<Selection> crops;
    private final int inFlightMax;
    private final Target device; // null: the host
    private final BlockingQueue<Slot> ended = new LinkedBlockingQueue<>();

    /** Is shown each crop that was read. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Looks at a crop.
         *
         * @param crop its place in the list
         * @param elements in C order, if need be copied from a GPU; gone afterwards
         */
        void visit(int crop, MemorySegment elements);
    }

    /** One of the reads under way. */
    private static final class Slot {
        private final MemorySegment memory; // null: results have their own
        private int read;
        private long beginNanos;
        private long endNanos;
        private Throwable failure;
        private HostTensor onHost; // this and the next one: until they are closed
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
     * @param crops of the array; at least one
     * @param inFlightMax how many are read at once
     */
    CropRun(ZarrEngine engine, ZarrArray array, List<Selection> crops, int inFlightMax) {
        this(engine, array, crops, inFlightMax, null);
    }

    /**
     * Prepares reads to a GPU.
     *
     * @param crops of the array; at least one
     * @param inFlightMax how many are read at once
     * @param device which; null for the host
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
     * @param passes how many times
     * @param visitor is shown each, on this thread; null for none
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

    /** Memory is written once here, so that the clock does not see it being mapped. */
    private Queue<Slot> newSlots(Arena arena, int reads) {
        long bytes = crops.stream().mapToLong(array::bytesOf).max().orElseThrow();
        boolean hasMemory = device == null && bytes >= LARGE_BYTES;
        Queue<Slot> slots = new ArrayDeque<>();
        for (int i = 0; i < Math.min(inFlightMax, reads); i++) {
            slots.add(new Slot(hasMemory ? arena.allocate(bytes, Long.BYTES) : null));
        }
        return slots;
    }

    /** Before the clock sees it. */
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
            while (finished < started) { // The others still write to memory that is freed next.
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
            tellEnd(array.readAsync(crop, device), slot, tensor -> slot.onDevice = tensor);
        } else if (slot.memory != null) {
            tellEnd(array.readAsync(crop, slot.memory), slot, _ -> {});
        } else {
            tellEnd(array.readAsync(crop), slot, tensor -> slot.onHost = tensor);
        }
    }

    private <T> void tellEnd(CompletableFuture<T> future, Slot slot, Consumer<T> keep) {
        var _ =
                future.whenComplete((tensor, failure) -> {
                    slot.endNanos = System.nanoTime();
                    keep.accept(tensor); // Null of a read that failed.
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
            String reason = slot.onDevice.hostReason().get(); // It would not be what is measured.
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
                } catch (InterruptedException e) { // The memory is lent until all have ended.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What all threads of this process have worked, to some milliseconds. */
    private static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
