package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Memory for results, of which some is used again: of new memory the kernel clears each page when
 * it is first written, which takes longer than to read into it what the page cache holds. It is
 * used again when nobody can access what it held: groups of results end together.
 *
 * <p>Owner: an engine. Threads: any. What was handed out outlives the engine.
 */
public final class ResultMemory implements AutoCloseable {
    /** What one result that stays open keeps from being used again, where one thread reads. */
    private static final long BLOCK_BYTES_MAX = 4L << 20;

    /**
     * So many where threads close results faster than groups can end: the JVM ends one at a time.
     */
    private static final int BLOCKS_MAX = 4;

    private static final long RETRY_MILLIS = 10;

    private final long bytesMax;
    private final long blockBytes;
    private volatile ResultGroup filling; // of the next small result, or null; written under this
    private final Queue<ResultGroup> unused = new ArrayDeque<>(); // to be ended; guarded by this
    private final Queue<ResultGroup> inUse = new ArrayDeque<>(); // by native calls; guarded by this
    private BlockMemory memory; // null before the first result, and in the end; guarded by this
    private int groups; // that have not ended; guarded by this
    private boolean isEnding; // a thread ends one of the unused; guarded by this
    private long ends; // so many were tried; guarded by this
    private boolean isRefused; // there is not so much memory; guarded by this
    private boolean isClosed; // guarded by this
    private boolean isEndingLater; // guarded by this

    /**
     * Takes no memory yet.
     *
     * @param bytesMax what may be kept, for results that are closed by then
     */
    public ResultMemory(long bytesMax) {
        this.bytesMax = bytesMax;
        this.blockBytes = Long.highestOneBit(Math.min(BLOCK_BYTES_MAX, bytesMax / 16));
    }

    /**
     * {@return memory with any content, the caller's until it closes it; what the caller keeps of
     * it beyond that is refused once the memory is used again}
     *
     * @param bytes length in bytes, {@code >= 0}
     * @throws NativeMemoryError if there is not that much
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
        NativeMemory result = tryFill(bytes); // Another thread may have made room meanwhile.
        while (result == null && (makeRoom() || awaitsEnd())) {
            result = tryFill(bytes);
        }
        return result;
    }

    private NativeMemory tryFill(long bytes) {
        return filling == null ? null : filling.tryLend(bytes);
    }

    /** Groups grow while one ends: the next ones would only wait to be ended. */
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

    /** Such a large one is free as soon as it is closed. */
    private synchronized NativeMemory tryLendAlone(long bytes) {
        retryInUse();
        ResultBlock block = tryTake(bytes);
        while (block == null && awaitsEnd()) {
            block = tryTake(bytes);
        }
        if (block == null) {
            stopFilling(); // Perhaps all of its results are closed.
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

    /** A result was not closed, and nobody has one of its group any more. */
    private synchronized void endForgotten(List<ResultBlock> blocks) {
        blocks.forEach(block -> memory.free(block.offset(), block.byteSize()));
        groups--;
        freeIfUnused();
    }

    /**
     * Waits for the thread that ends a group: the memory that it gives back comes sooner than new
     * memory, which the kernel clears, and which would have to be ended by itself.
     *
     * @return whether one was ended, perhaps
     */
    private boolean awaitsEnd() {
        long before = ends;
        try {
            while (isEnding && ends == before) {
                wait();
            }
        } catch (InterruptedException e) { // There is other memory.
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
     * Not under the lock: it takes as long as the slowest thread of the JVM. By one thread: the JVM
     * asks for one of them at a time, and the others can go on.
     *
     * @return whether that made more memory free
     */
    private boolean endUnused() {
        boolean isMoreFree = false;
        for (ResultGroup group = nextToEnd(); group != null; group = nextToEnd()) {
            boolean isEnded = false;
            try {
                isEnded = group.tryEnd();
            } finally { // Others wait for it, whatever happens.
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

    /** With a next group; after the last one by a thread, or all memory would stay for good. */
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
        } catch (InterruptedException e) { // Nobody does.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * {@return whether the thread that asks has more to do; if not, the next group needs another}
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

    /** Frees what is kept: at once, or with the last result that lies there. */
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
