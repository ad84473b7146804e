package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Marks in streams of callers, each with a future that waits for it. No stream of ours waits for
 * them, except the one that frees memory: it would hold up the work of others. Owner: a pump.
 * Threads: the device's.
 */
final class CallersStreams implements AutoCloseable {
    private record Mark(CudaEvent event, CompletableFuture<Void> passed) {}

    private final CudaDevice device;
    private final List<Mark> marks = new ArrayList<>();
    private final ArrayDeque<CudaEvent> unused = new ArrayDeque<>();
    private CudaEvent lastFree; // null until one comes after work of callers
    private boolean isFreeing; // or was when last looked

    CallersStreams(CudaDevice device) {
        this.device = device;
    }

    boolean isEmpty() {
        return marks.isEmpty();
    }

    /** Makes the stream that frees memory wait for the work so far of streams of callers. */
    void order(Collection<Long> first, CudaStream frees) throws CudaException {
        for (long stream : first) {
            try (CudaEvent mark = CudaEvent.open(device)) {
                mark.record(CudaStream.ofForeign(device, stream));
                frees.waitFor(mark);
            }
        }
        lastFree = lastFree == null ? CudaEvent.open(device) : lastFree;
        lastFree.record(frees);
        isFreeing = true;
    }

    /**
     * {@return whether freed memory still waits for callers} If no other memory is left, the driver
     * gives it to new results, and then all our work waits, too.
     */
    boolean isFreeing() throws CudaException {
        isFreeing = isFreeing && !lastFree.isDone();
        return isFreeing;
    }

    /** Completes the future when the stream has done what is queued in it now. */
    void await(long stream, CompletableFuture<Void> passed) throws CudaException {
        CudaEvent event = unused.isEmpty() ? CudaEvent.open(device) : unused.pop();
        try {
            event.record(CudaStream.ofForeign(device, stream));
        } catch (CudaException e) {
            unused.push(event);
            throw e;
        }
        marks.add(new Mark(event, passed));
    }

    /** Completes the futures of the marks that are passed. Returns false if there is none. */
    boolean complete() throws CudaException {
        boolean moved = false;
        for (Iterator<Mark> each = marks.iterator(); each.hasNext(); ) {
            Mark mark = each.next();
            if (mark.event.isDone()) {
                each.remove();
                unused.push(mark.event);
                mark.passed.complete(null);
                moved = true;
            }
        }
        return moved;
    }

    /** Fails all futures. */
    void fail(Throwable cause) {
        while (!marks.isEmpty()) {
            Mark mark = marks.removeLast();
            unused.push(mark.event);
            mark.passed.completeExceptionally(cause);
        }
    }

    @Override
    public void close() {
        while (!unused.isEmpty()) {
            unused.pop().close();
        }
        if (lastFree != null) {
            lastFree.close();
        }
    }
}
