package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.NativeMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory for results, of which some is used again: of new memory the kernel clears each page when
 * it is first written, which takes longer than to read into it what the page cache holds. It is
 * used again when nobody can access what it held: groups of results end together.
 *
 * <p>Owner: an engine. Threads: any. What was handed out outlives the engine.
 */
public final class ResultMemory implements AutoCloseable {
    /**
     * One result that stays open keeps so much from being used again, at most. 64 results of 64 KiB
     * are enough; of 1 MiB four are, and 2 or 6 MiB were as good: docs/benchmarks.md.
     */
    private static final long GROUP_BYTES_MAX = 4L << 20;

    private static final long RETRY_MILLIS = 10;

    private final long bytesMax;
    private final long groupBytesMax;
    private final List<ResultGroup> ending = new ArrayList<>(); // guarded by this
    private BlockMemory blocks; // null before the first result, and in the end; guarded by this
    private ResultGroup filling; // that of the next result, or null; guarded by this
    private int groups; // that have not ended; guarded by this
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
        this.groupBytesMax = Math.min(GROUP_BYTES_MAX, bytesMax / 16);
    }

    /**
     * {@return memory with any content, the caller's until it closes it; what the caller keeps of
     * it beyond that is refused once the memory is used again}
     *
     * @param bytes length in bytes, {@code >= 0}
     * @throws OutOfMemoryError if there is not that much
     */
    public NativeMemory allocate(long bytes) {
        NativeMemory block = tryLend(bytes);
        boolean isMoreFree = endUnused();
        if (block == null && isMoreFree) {
            block = tryLend(bytes);
        }
        return block == null ? NativeMemory.allocate(bytes) : block;
    }

    private synchronized NativeMemory tryLend(long bytes) {
        boolean isLent =
                bytes > 0 && bytes <= bytesMax && BlockMemory.blockBytes(bytes) <= bytesMax;
        if (isClosed || !isLent || !reserve()) {
            return null;
        }
        if (filling != null && !filling.takes(bytes)) {
            endFilling();
        }
        if (filling == null) {
            filling = new ResultGroup(blocks, groupBytesMax);
            groups++;
        }
        long at = blocks.take(bytes);
        if (at < 0) {
            if (filling.hasClosed()) {
                endFilling();
            }
            return null;
        }
        NativeMemory block = filling.lend(at, bytes, this::giveBack);
        if (!filling.takes(1)) {
            endFilling(); // Such a large one is free as soon as it is closed.
        }
        return block;
    }

    private boolean reserve() {
        if (blocks == null && !isRefused) {
            blocks = BlockMemory.tryReserve(bytesMax);
            isRefused = blocks == null;
        }
        return blocks != null;
    }

    /** It takes no more results, and ends with the last one of those it has. */
    private void endFilling() {
        ResultGroup full = filling;
        filling = null;
        if (full != null && full.isUnused()) {
            ending.add(full);
        }
    }

    private void giveBack(ResultGroup group) {
        synchronized (this) {
            group.oneClosed();
            if (group == filling || !group.isUnused()) {
                return;
            }
            ending.add(group);
        }
        endUnused();
    }

    /**
     * Not under the lock: it takes as long as the slowest thread of the JVM.
     *
     * @return whether there are more free blocks for it
     */
    private boolean endUnused() {
        boolean isMoreFree = false;
        List<ResultGroup> inUse = new ArrayList<>(); // by native calls
        for (ResultGroup group = nextEnding(); group != null; group = nextEnding()) {
            if (group.tryEnd()) {
                ended(group);
                isMoreFree = true;
            } else {
                inUse.add(group);
            }
        }
        if (!inUse.isEmpty()) {
            endLater(inUse);
        }
        return isMoreFree;
    }

    private synchronized ResultGroup nextEnding() {
        return ending.isEmpty() ? null : ending.removeLast();
    }

    private synchronized void ended(ResultGroup group) {
        group.free();
        groups--;
        freeIfUnused();
    }

    /** With the next result; after the last one by a thread, or all memory would stay for good. */
    private synchronized void endLater(List<ResultGroup> inUse) {
        ending.addAll(inUse);
        if (isClosed && !isEndingLater) {
            isEndingLater = true;
            Thread.ofVirtual().name("zarr-engine-results").start(this::keepEnding);
        }
    }

    private void keepEnding() {
        try {
            while (isEnding()) {
                Thread.sleep(RETRY_MILLIS);
                endUnused();
            }
        } catch (InterruptedException e) { // Nobody does.
            Thread.currentThread().interrupt();
        }
    }

    /** Asked by the thread that goes on while there are any: the next one needs another. */
    private synchronized boolean isEnding() {
        isEndingLater = !ending.isEmpty();
        return isEndingLater;
    }

    private void freeIfUnused() {
        if (isClosed && groups == 0 && blocks != null) {
            blocks.close();
            blocks = null;
        }
    }

    /** Frees what is kept: at once, or with the last result that lies there. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            endFilling();
            freeIfUnused();
        }
        endUnused();
    }
}
