package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Marks in streams of callers, each with a future that waits for it. No stream of ours waits for
 * them: it would hold up the work of others. Owner: a pump. Threads: the device's.
 */
final class CallersStreams implements AutoCloseable {
    private record Mark(CudaEvent event, CompletableFuture<Void> passed) {}

    private record Capture(long stream, CompletableFuture<Void> passed) {}

    private final CudaDevice device;
    private final List<Mark> marks = new ArrayList<>();
    private final List<Capture> captures = new ArrayList<>(); // streams to be marked after them
    private final ArrayDeque<CudaEvent> unused = new ArrayDeque<>();

    CallersStreams(CudaDevice device) {
        this.device = device;
    }

    /**
     * Marks the work so far of a stream. Returns false if the stream captures a graph: it has no
     * place then that it passes. It may begin that at any time, so it is also asked afterwards.
     */
    static boolean mark(CudaEvent event, CudaStream stream) throws CudaException {
        if (stream.isCapturing()) {
            return false;
        }
        event.record(stream);
        return !stream.isCapturing() && !event.isCaptured();
    }

    boolean isEmpty() {
        return marks.isEmpty() && captures.isEmpty();
    }

    /**
     * Completes the future when the stream has done what is queued in it now. If it captures a
     * graph, waits for the end of that too, or refuses.
     */
    void await(long stream, boolean waitsForCapture, CompletableFuture<Void> passed)
            throws CudaException {
        if (tryMark(stream, passed)) {
            return;
        }
        if (waitsForCapture) {
            captures.add(new Capture(stream, passed));
            return;
        }
        passed.completeExceptionally(
                new IllegalArgumentException(
                        "the stream 0x%x captures a graph, of which a read cannot be a part"
                                .formatted(stream)));
    }

    /** Marks a stream. Returns false if it captures a graph. */
    private boolean tryMark(long stream, CompletableFuture<Void> passed) throws CudaException {
        CudaEvent event = unused.isEmpty() ? CudaEvent.open(device) : unused.pop();
        boolean isMarked = false;
        try {
            isMarked = mark(event, CudaStream.ofForeign(device, stream));
        } finally {
            if (!isMarked) {
                unused.push(event);
            }
        }
        if (isMarked) {
            marks.add(new Mark(event, passed));
        }
        return isMarked;
    }

    /**
     * Completes the futures of the marks that are passed. Returns false if there is none.
     *
     * @throws CudaException if the device is lost; otherwise a mark fails alone
     */
    boolean complete() throws CudaException {
        boolean moved = markAfterCaptures();
        for (Iterator<Mark> each = marks.iterator(); each.hasNext(); ) {
            Mark mark = each.next();
            CudaException failure = null;
            boolean isPassed = false;
            try {
                isPassed = mark.event.isDone();
            } catch (CudaException e) {
                if (device.loss().isPresent()) {
                    throw e;
                }
                failure = e;
            }
            if (isPassed || failure != null) {
                each.remove();
                unused.push(mark.event);
                end(mark.passed, failure);
                moved = true;
            }
        }
        return moved;
    }

    /** Marks the streams whose captures have ended. Returns false if there is none. */
    private boolean markAfterCaptures() throws CudaException {
        boolean moved = false;
        for (Iterator<Capture> each = captures.iterator(); each.hasNext(); ) {
            Capture capture = each.next();
            boolean isOver = true;
            try {
                isOver = tryMark(capture.stream, capture.passed);
            } catch (CudaException e) {
                if (device.loss().isPresent()) {
                    throw e;
                }
                end(capture.passed, e);
            }
            if (isOver) {
                each.remove();
                moved = true;
            }
        }
        return moved;
    }

    private static void end(CompletableFuture<Void> passed, CudaException failure) {
        if (failure == null) {
            passed.complete(null);
        } else {
            passed.completeExceptionally(
                    new IllegalArgumentException(failure.getMessage(), failure));
        }
    }

    /** Fails all futures. */
    void fail(Throwable cause) {
        while (!marks.isEmpty()) {
            Mark mark = marks.removeLast();
            unused.push(mark.event);
            mark.passed.completeExceptionally(cause);
        }
        while (!captures.isEmpty()) {
            captures.removeLast().passed.completeExceptionally(cause);
        }
    }

    @Override
    public void close() {
        while (!unused.isEmpty()) {
            unused.pop().close();
        }
    }
}
