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
 * Results whose memory ends together. To end memory asks every thread of the JVM whether it is
 * there: 12 to 75 us, as long as it takes to read ten inner chunks of 64 KiB.
 *
 * <p>Owner: a {@link ResultMemory}, until it releases it, and each result. Threads: any, without a
 * lock: what reads small pieces on all cores would wait for it at each; but for blocks.
 */
final class ResultGroup {
    private final Arena arena = Arena.ofShared();
    private final Consumer<ResultGroup> giveBack;
    private final UseCount users = new UseCount("a group of results"); // its owner, and results
    private final List<ResultBlock> blocks = new ArrayList<>();
    private final LeakWatch watch;
    private volatile ResultBlock filling;

    /**
     * Takes a block for results.
     *
     * @param giveBack releases it: for each result, when that is closed
     * @param endForgotten takes the blocks back when one is not closed, and nobody has any more
     */
    ResultGroup(
            ResultBlock first,
            Consumer<ResultGroup> giveBack,
            Consumer<List<ResultBlock>> endForgotten) {
        this.giveBack = giveBack;
        List<ResultBlock> all = blocks; // Not this: it is what is watched that leads to it.
        watch =
                LeakWatch.of(
                        arena.scope(),
                        () -> endForgotten.accept(all),
                        () -> "a result of at most " + first.byteSize() + " bytes");
        add(first);
    }

    /** Takes one more block, when the last one is full. Threads: one at a time. */
    void add(ResultBlock block) {
        blocks.add(block);
        filling = block;
    }

    /** {@return the blocks; threads: one at a time} */
    List<ResultBlock> blocks() {
        return blocks;
    }

    /** {@return a part of a block, or null if that is not left} */
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

    /** Ends one use of it; {@return whether nobody uses it any more: then it is to be ended} */
    boolean releaseIsLast() {
        return users.removeIsLast();
    }

    /**
     * Ends what anybody has kept of its results, all of which are closed; false if a native call
     * uses one of them. Threads: one.
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

    /** Of one result. */
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
