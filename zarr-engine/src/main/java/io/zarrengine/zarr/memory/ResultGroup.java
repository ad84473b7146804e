package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Results whose memory ends together. To end memory asks every thread of the JVM whether it is
 * there: 12 to 75 us, as long as it takes to read ten inner chunks of 64 KiB.
 *
 * <p>Owner: a {@link ResultMemory}. Threads: one at a time, but for {@link #tryEnd}.
 */
final class ResultGroup {
    private static final int RESULTS_MAX = 64;

    private final Arena arena = Arena.ofShared();
    private final BlockMemory blocks;
    private final long bytesMax;
    private final long[] offsets = new long[RESULTS_MAX]; // of the blocks; count are set
    private final long[] sizes = new long[RESULTS_MAX];
    private int count;
    private int open; // results that are not closed
    private long bytes; // of all blocks

    /** {@code bytesMax}: of all blocks together, unless there is but one. */
    ResultGroup(BlockMemory blocks, long bytesMax) {
        this.blocks = blocks;
        this.bytesMax = bytesMax;
    }

    boolean takes(long size) {
        long more = BlockMemory.blockBytes(size);
        return count == 0 || (count < RESULTS_MAX && bytes + more <= bytesMax);
    }

    /** {@return whether it has blocks of results that are closed} */
    boolean hasClosed() {
        return open < count;
    }

    /** {@return whether all of its results are closed} */
    boolean isUnused() {
        return open == 0;
    }

    /**
     * Lends a block; the group {@link #takes} it.
     *
     * @param closed told of each result once, by whoever closes it
     */
    NativeMemory lend(long at, long size, Consumer<ResultGroup> closed) {
        NativeMemory result =
                NativeMemory.lend(blocks.block(at, size), arena, new GivingBack(closed));
        offsets[count] = at;
        sizes[count++] = size;
        bytes += BlockMemory.blockBytes(size);
        open++;
        return result;
    }

    void oneClosed() {
        open--;
    }

    /**
     * Ends what anybody has kept of its results, all of which are closed; false if a native call
     * uses one of them. Threads: one.
     */
    boolean tryEnd() {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Frees the blocks of a group that has ended. */
    void free() {
        for (int i = 0; i < count; i++) {
            blocks.free(offsets[i], sizes[i]);
        }
    }

    /** Of one result. */
    private final class GivingBack implements Runnable {
        private final Consumer<ResultGroup> closed;
        private final AtomicBoolean isDone = new AtomicBoolean();

        GivingBack(Consumer<ResultGroup> closed) {
            this.closed = closed;
        }

        @Override
        public void run() {
            if (isDone.getAndSet(true)) {
                throw new IllegalStateException("the result is closed");
            }
            closed.accept(ResultGroup.this);
        }
    }
}
