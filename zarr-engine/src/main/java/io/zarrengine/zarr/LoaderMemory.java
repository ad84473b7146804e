package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.DataType;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory for the tensors of a loader, used for one after the other. To end a tensor's memory for
 * good would ask every thread of the JVM whether it is there, and of new memory the kernel clears
 * each page: both take longer than to read a small step. So only the tensor says that it is closed.
 *
 * <p>Owner: a loader. Threads: any. Blocks that are lent when it is closed are freed when they come
 * back.
 */
final class LoaderMemory implements AutoCloseable {
    private final Deque<NativeMemory> free = new ArrayDeque<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** {@return a tensor with any content; its memory comes back when it is closed} */
    HostTensor newTensor(DataType dataType, long[] shape, long bytes) {
        NativeMemory block = HostTensor.allocate(this::take, dataType, shape, bytes);
        return new HostTensor(
                dataType, shape, block.segment().asSlice(0, bytes), () -> giveBack(block));
    }

    /** Blocks that are too small go, so that soon all of them hold the largest step. */
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

    /** If a native call uses it, it stays. */
    private void closeOne() {
        free.peek().close();
        free.pop();
    }

    /**
     * Frees what is not lent.
     *
     * @throws IllegalStateException if a native call uses some of it; may be called again
     */
    @Override
    public synchronized void close() {
        isClosed = true;
        while (!free.isEmpty()) {
            closeOne();
        }
    }
}
