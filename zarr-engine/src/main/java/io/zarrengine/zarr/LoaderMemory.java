package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.DataType;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reusable memory for the tensors of a loader. Closing an arena would interrupt every thread of the
 * JVM, and the kernel clears each page of new memory. Both take longer than reading a small step.
 * So closing a tensor returns its memory without ending it.
 *
 * <p>Owner: a loader. Threads: any. Blocks still in use when this is closed are freed when they are
 * given back.
 */
final class LoaderMemory implements AutoCloseable {
    private final Deque<NativeMemory> free = new ArrayDeque<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** {@return a tensor with arbitrary content; closing it gives its memory back} */
    HostTensor newTensor(DataType dataType, long[] shape, long bytes) {
        NativeMemory block = HostTensor.allocate(this::take, dataType, shape, bytes);
        return new HostTensor(
                dataType, shape, block.segment().asSlice(0, bytes), () -> giveBack(block));
    }

    /**
     * Takes a free block, or allocates one. Frees a block that is too small, so that soon every
     * block holds the largest step.
     */
    private NativeMemory take(long bytes) {
        synchronized (this) {
            if (!free.isEmpty()) {
                if (free.peek().segment().byteSize() >= bytes) {
                    return free.pop();
                }
                closeOne();
            }
        }
        return NativeMemory.allocateWatched(bytes);
    }

    private synchronized void giveBack(NativeMemory block) {
        if (isClosed) {
            block.close();
        } else {
            free.push(block);
        }
    }

    /** Frees the first block. Keeps it if a native call uses it. */
    private void closeOne() {
        free.peek().close();
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
