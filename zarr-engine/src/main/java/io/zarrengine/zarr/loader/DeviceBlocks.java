package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.Target;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Memory of the caller's on a GPU for the tensors of a loader. Each kind of tensors has blocks of
 * its own, which are used again and again: a block is written after the work that the streams of
 * its last tensor had queued when that was closed.
 *
 * <p>Owner: a loader. Threads: any.
 */
final class DeviceBlocks {
    /** Alignment of a block: more than any load of a GPU needs, and as on the host. */
    private static final int ALIGNMENT = 64;

    /** {@code target}: its memory, and what a write to it waits for. */
    private record Block(int kind, MemorySegment memory, Target target) {}

    private final SegmentAllocator callers; // null: the tensors have new memory
    private final Target device;
    private final List<Deque<Block>> free = new ArrayList<>(); // this and the next: guarded by this
    private final Map<DeviceTensor, Block> inUse = new HashMap<>();

    /** {@code device}: names the stream whose work comes before the first use of each block. */
    DeviceBlocks(SegmentAllocator callers, Target device, int kinds) {
        this.callers = callers;
        this.device = device;
        for (int i = 0; i < kinds; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    /**
     * Fills a block.
     *
     * @param kind the number of the kind of tensors
     * @param bytes their size
     * @param begin starts to write a tensor to a target
     * @return the future that {@code begin} returned, at the end of which the block is in use or
     *     free; cancelling it cancels that one
     */
    CompletableFuture<DeviceTensor> fill(
            int kind, LongSupplier bytes, Function<Target, CompletableFuture<DeviceTensor>> begin) {
        if (callers == null || bytes.getAsLong() == 0) {
            return begin.apply(device);
        }
        Block block = take(kind, bytes.getAsLong());
        CompletableFuture<DeviceTensor> begun;
        try {
            begun = begin.apply(block.target());
        } catch (RuntimeException | Error e) {
            giveBack(block);
            throw e;
        }
        Filling filling = new Filling(begun);
        var _ =
                begun.whenComplete((tensor, failure) -> {
                    if (failure == null) {
                        use(block, tensor);
                        filling.complete(tensor);
                    } else {
                        giveBack(block);
                        filling.completeExceptionally(failure);
                    }
                });
        return filling;
    }

    private static final class Filling extends CompletableFuture<DeviceTensor> {
        private final CompletableFuture<DeviceTensor> begun;

        Filling(CompletableFuture<DeviceTensor> begun) {
            this.begun = begun;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return begun.cancel(mayInterrupt);
        }
    }

    /** Takes a free block, or allocates one. Drops a block that is too small, as a loader does. */
    private Block take(int kind, long bytes) {
        synchronized (this) {
            Block last = free.get(kind).poll();
            if (last != null && last.memory().byteSize() >= bytes) {
                return last;
            }
        }
        synchronized (callers) { // Many allocators are for one thread.
            MemorySegment memory = callers.allocate(bytes, ALIGNMENT);
            return new Block(kind, memory, device.into(memory));
        }
    }

    private synchronized void use(Block block, DeviceTensor tensor) {
        inUse.put(tensor, block);
    }

    private synchronized void giveBack(Block block) {
        free.get(block.kind()).add(block);
    }

    /** Closes a tensor, unless it is closed, and makes its block free. */
    void release(DeviceTensor tensor) {
        tensor.closeIfOpen();
        Block block;
        synchronized (this) {
            block = inUse.remove(tensor);
        }
        if (block != null) {
            Target again = block.target().after(tensor.whenUnused());
            giveBack(new Block(block.kind(), block.memory(), again));
        }
    }
}
