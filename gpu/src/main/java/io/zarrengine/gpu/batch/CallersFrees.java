package io.zarrengine.gpu.batch;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * Frees memory after the work of streams of callers. While such a stream captures a graph, nobody
 * can tell how far its work has come, so the memory is kept until the capture has ended. Owner: a
 * pump. Threads: the device's.
 */
final class CallersFrees implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** The time between two attempts to wait for the whole device, which make captures invalid. */
    private static final long AWAIT_ALL_NANOS = 1_000_000_000;

    private record Kept(Allocation memory, List<Long> streams) {}

    private final CudaDevice device;
    private final CudaStream frees; // waits for the callers' streams
    private final List<Kept> kept = new ArrayList<>();
    private CudaEvent mark; // null before the first use
    private CudaEvent lastFree; // after all work that frees wait for; null before the first use
    private boolean isFreeing; // as of the last look
    private boolean isRefused; // whether a capture refused the last wait for the whole device
    private long refusedNanos; // when, if it did

    CallersFrees(CudaDevice device, CudaStream frees) {
        this.device = device;
        this.frees = frees;
    }

    /** {@return whether no memory is kept for a capture} */
    boolean isEmpty() {
        return kept.isEmpty();
    }

    /**
     * {@return whether freed memory still waits for callers} If no other memory is left, the driver
     * gives it to new results, and then all our work waits, too.
     */
    boolean isFreeing() throws CudaException {
        isFreeing = isFreeing && !lastFree.isDone();
        return isFreeing;
    }

    /**
     * Frees memory after the work so far of streams, or after a capture.
     *
     * @throws CudaException if the device fails; the memory is free then
     */
    void free(Allocation memory, Collection<Long> streams) throws CudaException {
        if (!tryFree(memory, streams)) {
            kept.add(new Kept(memory, List.copyOf(streams)));
        }
    }

    /** Frees what was kept for captures that have ended. Returns false if there is none. */
    boolean freeKept() throws CudaException {
        boolean moved = false;
        for (Iterator<Kept> each = kept.iterator(); each.hasNext(); ) {
            Kept candidate = each.next();
            boolean isFree = true; // also if the device fails
            try {
                isFree = tryFree(candidate.memory, candidate.streams);
            } finally {
                if (isFree) {
                    each.remove();
                }
            }
            moved |= isFree;
        }
        return moved;
    }

    /** Frees everything now, because the device does no more work. */
    void freeAll() {
        while (!kept.isEmpty()) {
            kept.removeLast().memory.close();
        }
    }

    private boolean tryFree(Allocation memory, Collection<Long> streams) throws CudaException {
        boolean areOrdered;
        try {
            areOrdered = order(streams);
        } catch (CudaException e) {
            areOrdered = awaitAll(e, memory);
        }
        if (areOrdered) {
            memory.closeAfter(frees);
        }
        return areOrdered;
    }

    /** Makes the frees wait for the work so far of streams. Returns false if one captures. */
    private boolean order(Collection<Long> streams) throws CudaException {
        mark = mark == null ? CudaEvent.open(device) : mark;
        lastFree = lastFree == null ? CudaEvent.open(device) : lastFree;
        for (long stream : streams) {
            if (!CallersStreams.mark(mark, CudaStream.ofForeign(device, stream))) {
                return false;
            }
            frees.waitFor(mark);
        }
        lastFree.record(frees);
        isFreeing = true;
        return true;
    }

    /**
     * Waits for all streams of the device, those of callers too, because one cannot be waited for.
     * Returns false if one captures.
     */
    private boolean awaitAll(CudaException cause, Allocation memory) throws CudaException {
        if (isRefused && System.nanoTime() - refusedNanos < AWAIT_ALL_NANOS) {
            return false;
        }
        LOGGER.log(System.Logger.Level.WARNING, "a stream that uses memory: " + cause.getMessage());
        isRefused = false;
        try {
            device.synchronize();
        } catch (CudaException e) {
            if (!e.error().isOfCapture()) {
                memory.close();
                throw e;
            }
            isRefused = true;
            refusedNanos = System.nanoTime();
        }
        return !isRefused;
    }

    @Override
    public void close() {
        if (mark != null) {
            mark.close();
        }
        if (lastFree != null) {
            lastFree.close();
        }
    }
}
