package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.bindings.NativeMemory;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Memory for results, part of which is reused. New memory is slow because the kernel clears each
 * page at its first write, which takes longer than a read from the page cache into it. Memory is
 * reused after its old results have become inaccessible, which is done for groups of results at
 * once.
 *
 * <p>Owner: an engine. Threads: any. Results outlive the engine.
 */
public final class ResultMemory implements AutoCloseable {
    /** Maximum memory in bytes that one open result keeps from reuse, if one thread reads. */
    private static final long BLOCK_BYTES_MAX = 4L << 20;

    /**
     * Maximum number of blocks in a group. Groups grow if threads close results faster than groups
     * can end, because the JVM ends one at a time.
     */
    private static final int BLOCKS_MAX = 4;

    private static final long RETRY_MILLIS = 10;

    private final long bytesMax;
    private final long blockBytes;
    // group of the next small result, or null; written under this
    private volatile ResultGroup filling;
    // groups to be ended; guarded by this
    private final Queue<ResultGroup> unused = new ArrayDeque<>();
    // groups that native calls use; guarded by this
    private final Queue<ResultGroup> inUse = new ArrayDeque<>();
    private BlockMemory memory; // null before the first result and after the last; guarded by this
    private int groups; // number of groups that have not ended; guarded by this
    private boolean isEnding; // whether a thread is ending a group; guarded by this
    private long ends; // number of attempts to end a group; guarded by this
    private boolean isRefused; // whether the machine has too little memory; guarded by this
    private boolean isClosed; // guarded by this
    private boolean isEndingLater; // guarded by this

    /**
     * Creates an instance, which reserves memory at the first result.
     *
     * @param bytesMax maximum size of the reused memory in bytes
     */
    public ResultMemory(long bytesMax) {
        this.bytesMax = bytesMax;
        this.blockBytes = Long.highestOneBit(Math.min(BLOCK_BYTES_MAX, bytesMax / 16));
    }

    /**
     * {@return memory with arbitrary content, owned by the caller until it closes it; access after
     * that throws an exception once the memory is reused}
     *
     * @param bytes length in bytes, {@code >= 0}
     * @throws OutOfMemoryError if there is not that much
     */
    public NativeMemory allocate(long bytes) {
        boolean isLent =
                bytes > 0
                        && bytes <= bytesMax
                        && BlockMemory.blockBytes(bytes) <= bytesMax
                        && !LeakWatch.traces();
        NativeMemory result = isLent ? tryLend(bytes) : null;
        return result == null ? NativeMemory.allocateWatched(bytes) : result;
    }

    private NativeMemory tryLend(long bytes) {
        boolean isSmall = bytes <= blockBytes;
        ResultGroup group = isSmall ? filling : null;
        NativeMemory result = group == null ? null : group.tryLend(bytes);
        boolean isMoreFree = true;
        while (result == null && isMoreFree) {
            result = isSmall ? tryLendOfNext(bytes) : tryLendAlone(bytes);
            isMoreFree = endUnused();
        }
        return result;
    }

    private synchronized NativeMemory tryLendOfNext(long bytes) {
        retryInUse();
        NativeMemory result = tryFill(bytes); // Another thread may have added a block meanwhile.
        while (result == null && (makeRoom() || awaitsEnd())) {
            result = tryFill(bytes);
        }
        return result;
    }

    private NativeMemory tryFill(long bytes) {
        return filling == null ? null : filling.tryLend(bytes);
    }

    /**
     * Adds a block to the current group if a thread is ending another group, because a new group
     * would only wait for that thread. Otherwise starts a new group.
     */
    private boolean makeRoom() {
        ResultBlock block = tryTake(blockBytes);
        boolean grows = isEnding && filling != null && filling.blocks().size() < BLOCKS_MAX;
        if (block != null && grows) {
            filling.add(block);
        } else {
            stopFilling();
            filling = block == null ? null : open(block);
        }
        return block != null;
    }

    private void stopFilling() {
        if (filling != null) {
            released(filling);
            filling = null;
        }
    }

    private void released(ResultGroup group) {
        if (group.releaseIsLast()) {
            unused.add(group);
        }
    }

    /**
     * Lends a large block as a group of its own, which can be reused as soon as the result is
     * closed.
     */
    private synchronized NativeMemory tryLendAlone(long bytes) {
        retryInUse();
        ResultBlock block = tryTake(bytes);
        while (block == null && awaitsEnd()) {
            block = tryTake(bytes);
        }
        if (block == null) {
            stopFilling(); // All results of the group may be closed.
            return null;
        }
        ResultGroup group = open(block);
        try {
            return group.tryLend(bytes);
        } finally {
            released(group);
        }
    }

    private ResultBlock tryTake(long bytes) {
        long at = !isClosed && reserve() ? memory.take(bytes) : -1;
        return at < 0 ? null : new ResultBlock(at, memory.block(at, bytes));
    }

    private boolean reserve() {
        if (memory == null && !isRefused) {
            memory = BlockMemory.tryReserve(bytesMax);
            isRefused = memory == null;
        }
        return memory != null;
    }

    private ResultGroup open(ResultBlock first) {
        groups++;
        return new ResultGroup(first, this::giveBack, this::endForgotten);
    }

    /**
     * Frees the blocks of a group in which a result was not closed and is not reachable any more.
     */
    private synchronized void endForgotten(List<ResultBlock> blocks) {
        blocks.forEach(block -> memory.free(block.offset(), block.byteSize()));
        groups--;
        freeIfUnused();
    }

    /**
     * Waits for the thread that ends a group. Its memory is available sooner than new memory, which
     * the kernel must clear and which would have to be closed on its own.
     *
     * @return whether an attempt to end a group has finished
     */
    private boolean awaitsEnd() {
        long before = ends;
        try {
            while (isEnding && ends == before) {
                wait();
            }
        } catch (InterruptedException e) { // The caller allocates other memory.
            Thread.currentThread().interrupt();
        }
        return ends != before;
    }

    /** Ends a result's use of its group. */
    private void giveBack(ResultGroup group) {
        if (group.releaseIsLast()) {
            synchronized (this) {
                unused.add(group);
            }
            endUnused();
        }
    }

    /**
     * Ends the unused groups. It does so outside the lock, because each takes as long as the
     * slowest thread of the JVM. Only one thread does it, because the JVM ends one at a time; the
     * other threads continue.
     *
     * @return whether it freed memory
     */
    private boolean endUnused() {
        boolean isMoreFree = false;
        for (ResultGroup group = nextToEnd(); group != null; group = nextToEnd()) {
            boolean isEnded = false;
            try {
                isEnded = group.tryEnd();
            } finally { // Other threads wait for this, so it must run after an exception too.
                ended(group, isEnded);
            }
            isMoreFree |= isEnded;
        }
        return isMoreFree;
    }

    private synchronized ResultGroup nextToEnd() {
        ResultGroup next = isEnding ? null : unused.poll();
        isEnding |= next != null;
        return next;
    }

    private synchronized void ended(ResultGroup group, boolean isEnded) {
        isEnding = false;
        ends++;
        notifyAll();
        if (!isEnded) {
            endLater(group);
            return;
        }
        group.blocks().forEach(block -> memory.free(block.offset(), block.byteSize()));
        groups--;
        freeIfUnused();
    }

    /**
     * Ends a group together with a later one. After {@link #close}, a thread retries, because no
     * later group may come.
     */
    private void endLater(ResultGroup group) {
        inUse.add(group);
        if (isClosed && !isEndingLater) {
            isEndingLater = true;
            Thread.ofVirtual().name("zarr-engine-results").start(this::keepEnding);
        }
    }

    private void keepEnding() {
        try {
            while (goesOnEnding()) {
                Thread.sleep(RETRY_MILLIS);
                endUnused();
            }
        } catch (InterruptedException e) { // No caller interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * {@return whether the calling thread has more to do; if not, the next group needs a new
     * thread}
     */
    private synchronized boolean goesOnEnding() {
        isEndingLater = !inUse.isEmpty();
        retryInUse();
        return isEndingLater;
    }

    private void retryInUse() {
        unused.addAll(inUse);
        inUse.clear();
    }

    private void freeIfUnused() {
        if (isClosed && groups == 0 && memory != null) {
            memory.close();
            memory = null;
        }
    }

    /** Frees the memory: at once, or with the last result that uses it. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            stopFilling();
            retryInUse();
            freeIfUnused();
        }
        endUnused();
    }
}
