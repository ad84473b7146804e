package io.zarrengine.cli;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.EngineMetrics;
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

/**
 * Reads crops of an array, several at once, and measures.
 *
 * <p>As soon as one has arrived the next is asked for, so as many as allowed are always in flight;
 * they arrive in any order. Threads: one.
 */
final class CropRun {
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
         * @param elements in C order, if need be copied from a GPU; used for another crop
         *     afterwards
         */
        void visit(int crop, MemorySegment elements);
    }

    /** Memory for one crop, and the read that it is lent to. */
    private static final class Slot {
        private final MemorySegment memory;
        private int read;
        private long beginNanos;
        private long endNanos;
        private Throwable failure;
        private DeviceTensor onDevice; // of a read to a GPU, until it is closed

        Slot(MemorySegment memory) {
            this.memory = memory;
        }

        void closeTensor() {
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
            Queue<Slot> idle = newSlots(arena);
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

    /** The memory is written once here, so that the clock does not see it being mapped. */
    private Queue<Slot> newSlots(Arena arena) {
        long bytes = crops.stream().mapToLong(array::bytesOf).max().orElseThrow();
        Queue<Slot> slots = new ArrayDeque<>();
        for (int i = 0; i < inFlightMax; i++) {
            slots.add(new Slot(arena.allocate(bytes, Long.BYTES)));
        }
        return slots;
    }

    /** Before the clock sees it. */
    private void openDevice() {
        if (device != null) {
            long[] nothing = new long[array.shape().length];
            DeviceOption.read(array, Selection.box(nothing, nothing), device).close();
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
            while (finished < started) { // The others still write to the memory that is freed next.
                takeEnded().closeTensor();
                finished++;
            }
        }
    }

    private void start(Slot slot, int read) {
        slot.read = read;
        slot.beginNanos = System.nanoTime();
        Selection crop = crops.get(read % crops.size());
        CompletableFuture<?> future =
                device == null ? array.readAsync(crop, slot.memory) : array.readAsync(crop, device);
        var _ =
                future.whenComplete((result, failure) -> {
                    slot.endNanos = System.nanoTime();
                    slot.onDevice = (DeviceTensor) result; // Null of a read to the host.
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
            int crop = slot.read % crops.size();
            visitor.visit(crop, elements(slot, array.bytesOf(crops.get(crop))));
        }
    }

    private static MemorySegment elements(Slot slot, long bytes) {
        MemorySegment elements = slot.memory.asSlice(0, bytes);
        if (slot.onDevice != null) {
            slot.onDevice.copyTo(elements);
        }
        return elements;
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
