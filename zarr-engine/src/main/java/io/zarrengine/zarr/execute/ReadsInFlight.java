package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.reading.ReadMemory;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The reads that a worker may have under way at once, their memory, and the queue that writes to
 * it. A read that lacks memory waits, and no other one begins before it.
 *
 * <p>Owner: a worker. Threads: the worker's; {@link #close} any, after that one has ended.
 */
final class ReadsInFlight implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** The unit of read memory: small reads waste little, and large reads need few slots. */
    private static final int SLOT_BYTES = 32 << 10;

    /** How long a closing worker waits for memory that the kernel or a store still uses. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final BooleanSupplier budgetOfCallers;
    private final ReadMemory memory;
    private final WorkerReads queue;
    private final StretchRead[] reads; // index == token
    private final ArrayDeque<StretchRead> free = new ArrayDeque<>();
    private StretchRead waiting; // the one read that waits for memory; null if none does
    private boolean isMemoryOurs; // neither the kernel nor a store uses the memory any more

    /**
     * Creates them. Must run on the worker's thread, because the ring belongs to that thread.
     *
     * @param budgetOfCallers frees budget that calling threads keep; returns whether there was some
     * @param queues makes the queue
     */
    ReadsInFlight(
            ExecutorOptions options,
            MemoryBudget budget,
            BooleanSupplier budgetOfCallers,
            QueueFactory queues)
            throws IOException {
        this.options = options;
        this.budget = budget;
        this.budgetOfCallers = budgetOfCallers;
        reads = new StretchRead[options.readsInFlight()];
        Arrays.setAll(reads, StretchRead::new);
        free.addAll(Arrays.asList(reads));
        memory = new ReadMemory(options.readMemoryBytes(), SLOT_BYTES);
        try {
            queue =
                    new WorkerReads(
                            queues.newQueue(reads.length, List.of(memory.segment())), reads.length);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            memory.close();
            throw t;
        }
    }

    WorkerReads queue() {
        return queue;
    }

    ReadMemory memory() {
        return memory;
    }

    /** {@return whether another read may begin} */
    boolean hasFree() {
        return waiting == null && !free.isEmpty();
    }

    /** {@return an object for a read, of which there must be one} */
    StretchRead take() {
        return free.remove();
    }

    /** {@return the read that waits for memory; null if none does} */
    StretchRead waiting() {
        return waiting;
    }

    /** Lets other reads begin, because that read has begun or failed. */
    void waitEnds() {
        waiting = null;
    }

    StretchRead get(int token) {
        return reads[token];
    }

    /**
     * Takes memory for a read; returns false if the read has to wait for memory.
     *
     * @throws OutOfMemoryError if the machine has none
     */
    boolean takeMemory(StretchRead read) {
        long workspaceBytes = options.workspaceBytes();
        read.requireMemory(memory, options);
        if (!read.takeMemory(memory, budget, workspaceBytes)) {
            long beyond =
                    read.bytesToRead(memory) + read.bytesToDecode(memory, budget, workspaceBytes);
            boolean mayHelp = beyond > 0 && budgetOfCallers.getAsBoolean();
            if (!mayHelp || !read.takeMemory(memory, budget, workspaceBytes)) {
                waiting = read;
                return false;
            }
        }
        return true;
    }

    /** Frees the memory of a read that has ended. */
    void free(StretchRead read) {
        read.freeMemory(memory, budget);
        free.add(read);
    }

    /** Fails the requests of all reads. {@link #end} and {@link #close} free memory. */
    void abandon(Throwable cause) {
        for (StretchRead read : reads) {
            if (read.task != null) {
                read.abandon(cause);
            }
        }
    }

    /** Closes the queue. Memory that the kernel or a store still uses is given up. */
    void end() {
        boolean drained = queue.drain(DRAIN_LIMIT);
        for (StretchRead read : reads) {
            if (drained) {
                read.freeMemory(memory, budget);
            } else {
                read.giveUpMemory(budget);
            }
        }
        if (drained) {
            queue.forgetUnusedFiles();
            isMemoryOurs = true;
            queue.close();
        } else {
            LOGGER.log(System.Logger.Level.ERROR, "the kernel holds memory that is given up");
        }
    }

    @Override
    public void close() {
        if (isMemoryOurs) {
            memory.close();
        }
    }
}
