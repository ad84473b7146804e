package io.zarrengine.zarr.loader;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Reusable memory for the tensors of one name. Closing an arena would interrupt every thread of the
 * JVM, and the kernel clears each page of new memory. Both take longer than reading a small batch.
 * So closing a tensor returns its memory without ending it.
 *
 * <p>Owner: a loader. Threads: any. Blocks still in use when this is closed are freed when they are
 * given back.
 */
final class LoaderMemory implements AutoCloseable {
    /** Alignment of a caller's block: a cache line, as vector loops like it. */
    private static final int ALIGNMENT = 64;

    private record Block(MemorySegment segment, Runnable free) {}

    private final SegmentAllocator callers; // null: the loader allocates
    private final Deque<Block> free = new ArrayDeque<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** {@code callers}: allocates memory that stays the caller's; null for the loader's own. */
    LoaderMemory(SegmentAllocator callers) {
        this.callers = callers;
    }

    /** {@return a tensor with arbitrary content; closing it gives its memory back} */
    HostTensor newTensor(DataType dataType, long[] shape) {
        long bytes = Grid.count(shape) * dataType.byteSize();
        Block block;
        try {
            block = take(bytes);
        } catch (NativeMemoryError e) {
            throw OutOfMemoryException.ofResult(
                    "the batch " + dataType.typeName() + Arrays.toString(shape), bytes, e);
        }
        return HostTensor.of(
                dataType, shape, block.segment().asSlice(0, bytes), () -> giveBack(block));
    }

    /**
     * Takes a free block, or allocates one. Frees a block that is too small, so that soon every
     * block holds the largest batch.
     */
    private Block take(long bytes) {
        synchronized (this) {
            if (!free.isEmpty()) {
                if (free.peek().segment().byteSize() >= bytes) {
                    return free.pop();
                }
                closeOne();
            }
        }
        if (callers != null) {
            synchronized (callers) { // Many allocators are for one thread.
                return new Block(callers.allocate(bytes, ALIGNMENT), () -> {});
            }
        }
        NativeMemory memory = NativeMemory.allocateWatched(bytes);
        return new Block(memory.segment(), memory::close);
    }

    private synchronized void giveBack(Block block) {
        if (isClosed) {
            block.free().run();
        } else {
            free.push(block);
        }
    }

    /** Frees the first block. Keeps it if a native call uses it. */
    private void closeOne() {
        free.peek().free().run();
        free.pop();
    }

    /**
     * Frees the blocks that are not in use.
     *
     * @throws IllegalStateException if a native call uses one of them; this may be called again
     */
    @Override
    public synchronized void close() {
        isClosed = true;
        while (!free.isEmpty()) {
            closeOne();
        }
    }
}
