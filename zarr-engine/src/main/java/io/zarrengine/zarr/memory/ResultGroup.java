package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.UseCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Results whose memory is closed together. Closing shared memory takes a handshake with every
 * thread of the JVM: 12 to 75 us, the time to read ten inner chunks of 64 KiB.
 *
 * <p>Owner: a {@link ResultMemory}, until it releases the group, and each result. Threads: any,
 * except for methods on blocks. It takes no lock, because small reads on all cores would contend
 * for it.
 */
final class ResultGroup {
    private final Arena arena = Arena.ofShared();
    private final Consumer<ResultGroup> giveBack;
    private final UseCount users = new UseCount("a group of results"); // its owner and its results
    private final List<ResultBlock> blocks = new ArrayList<>();
    private final LeakWatch watch;
    private volatile ResultBlock filling;

    /**
     * Creates a group with its first block.
     *
     * @param giveBack releases one use of the group, when a result is closed
     * @param endForgotten takes back the blocks when a result was not closed and no result is
     *     reachable
     */
    ResultGroup(
            ResultBlock first,
            Consumer<ResultGroup> giveBack,
            Consumer<List<ResultBlock>> endForgotten) {
        this.giveBack = giveBack;
        // Must not capture this: that would keep the watched scope reachable.
        List<ResultBlock> all = blocks;
        watch =
                LeakWatch.of(
                        arena.scope(),
                        () -> endForgotten.accept(all),
                        () -> "a result of at most " + first.byteSize() + " bytes");
        add(first);
    }

    /** Adds a block after the last one is full. Threads: one at a time. */
    void add(ResultBlock block) {
        blocks.add(block);
        filling = block;
    }

    /** {@return the blocks; threads: one at a time} */
    List<ResultBlock> blocks() {
        return blocks;
    }

    /** {@return a part of the last block, or null if it has not enough left} */
    NativeMemory tryLend(long bytes) {
        if (!users.tryAdd()) {
            return null;
        }
        NativeMemory result = null;
        try {
            MemorySegment part = filling.tryTake(bytes);
            if (part != null) {
                result = NativeMemory.lend(part, arena, new GivingBack());
            }
        } finally {
            if (result == null) {
                giveBack.accept(this);
            }
        }
        return result;
    }

    /**
     * Ends one use of the group.
     *
     * @return whether no use is left, so that the caller must end the group
     */
    boolean releaseIsLast() {
        return users.removeIsLast();
    }

    /**
     * Closes the memory of all results, which must be closed already. Threads: one.
     *
     * @return false if a native call still uses a result
     */
    boolean tryEnd() {
        try {
            arena.close();
            watch.end();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** The release of one result. */
    private final class GivingBack implements Runnable {
        private final AtomicBoolean isDone = new AtomicBoolean();

        @Override
        public void run() {
            if (isDone.getAndSet(true)) {
                throw new IllegalStateException("the result is closed");
            }
            giveBack.accept(ResultGroup.this);
        }
    }
}
