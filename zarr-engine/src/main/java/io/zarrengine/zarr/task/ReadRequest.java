package io.zarrengine.zarr.task;

import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.decode.Placement;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.metrics.Recorder;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.place.VariableLengthContent;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.store.ChunkFiles;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A read of positions of one array into one target. {@link RequestChunks} hands out the chunks that
 * it touches.
 *
 * <p>A request ends when all of its parts have ended, also if one of them failed. Then no thread
 * writes to the target any more. If the engine fails as a whole, a request ends by {@link #endAs}
 * instead. Threads: any.
 */
public final class ReadRequest implements Completion {
    /**
     * The parts of an array that a request uses.
     *
     * @param files the open chunk files
     * @param keys the names of chunks
     * @param pipelines the encodings of chunks
     * @param fillElement one element, in native byte order; for a type of variable length, its
     *     bytes
     * @param fillsMissing whether a chunk that was never written reads as fill elements; if false,
     *     it is an error
     */
    public record Source(
            ChunkFiles files,
            ChunkKeyEncoding keys,
            ArrayPipeline pipelines,
            MemorySegment fillElement,
            boolean fillsMissing) {}

    private static final long END_POLL_NANOS = 100_000;

    private final Source source;
    private final ChunkPlan plan;
    private final Placement placement;
    private final PartCounter parts; // chunks
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile RequestOwner owner; // null before the request begins
    private volatile Throwable failure; // the first one; null if there is none
    private Consumer<Throwable> listener; // this and the next three: guarded by this; or null
    private boolean haveAllEnded; // the parts
    private Throwable outcome; // the failure at that time
    private boolean isTold; // the listener

    /**
     * Creates a request; an executor starts it.
     *
     * @param source the array
     * @param plan the chunks
     * @param target where the region goes, accessible from all threads
     */
    public ReadRequest(Source source, ChunkPlan plan, MemorySegment target) {
        this(source, plan, target, source.fillElement, null, null);
    }

    private ReadRequest(
            Source source,
            ChunkPlan plan,
            MemorySegment target,
            MemorySegment fillElement,
            VariableLengthContent content,
            ChunkSink sink) {
        this.source = source;
        this.plan = plan;
        this.placement =
                new Placement(
                        target, fillElement, source.fillsMissing, content, sink, newRecorded());
        this.parts = new PartCounter(plan.chunks());
    }

    private static RecordedRead newRecorded() {
        return Recorder.isInUse() ? new RecordedRead() : null;
    }

    /**
     * {@return a request for elements of variable length}
     *
     * @param source the array
     * @param plan the chunks
     * @param target where the descriptors go, accessible from all threads
     * @param content where the elements' bytes go: as many as the engine's budget
     * @throws BudgetExceededException if not even the fill value fits there
     */
    public static ReadRequest ofVariableLength(
            Source source, ChunkPlan plan, MemorySegment target, VariableLengthContent content) {
        MemorySegment fill = MemorySegment.ofArray(new byte[VariableLengthType.DESCRIPTOR_BYTES]);
        try {
            content.reserve(source.fillElement.byteSize()).add(0, source.fillElement, fill, 0);
        } catch (MemoryShortException e) {
            throw e.toBudgetExceeded(source.files.root() + ", fill value", content.bytesMax());
        }
        return new ReadRequest(source, plan, target, fill, content, null);
    }

    /**
     * {@return a request whose chunks are not placed, but taken by a sink}
     *
     * @param source the array
     * @param plan the chunks
     * @param sink takes them
     */
    public static ReadRequest ofSink(Source source, ChunkPlan plan, ChunkSink sink) {
        return new ReadRequest(source, plan, MemorySegment.NULL, source.fillElement, null, sink);
    }

    /**
     * Makes the request ready to be taken.
     *
     * @param newOwner runs it
     */
    public void begin(RequestOwner newOwner) {
        if (recorded() != null) {
            recorded().begin();
        }
        owner = newOwner;
        if (plan.chunks() == 0) {
            end();
        } else if (hasFailed()) {
            endRest();
        }
    }

    /**
     * Adds a listener that is called when the request has ended, on a worker's thread, or at once
     * if the request has ended before. The listener that was added last is called first.
     *
     * @param newListener gets the failure, or null. It must be quick, and may throw no exception
     *     but an {@link OutOfMemoryError}: then all listeners are called again
     */
    public void whenEnded(Consumer<Throwable> newListener) {
        synchronized (this) {
            if (!isTold) {
                listener = listener == null ? newListener : newListener.andThen(listener);
                return;
            }
        }
        newListener.accept(outcome);
    }

    /**
     * Waits until the request has ended.
     *
     * @throws InterruptedException if the thread is interrupted; the request goes on
     */
    public void await() throws InterruptedException {
        ended.await();
        switch (outcome) {
            case null -> {}
            case RuntimeException cause -> throw cause;
            case Error cause -> throw cause;
            default -> throw new AssertionError("requests fail unchecked", outcome);
        }
    }

    /** Waits until no thread works on the request, also if the calling thread is interrupted. */
    public void awaitEnd() {
        while (hasBegun() && ended.getCount() > 0) {
            LockSupport.parkNanos(END_POLL_NANOS);
        }
    }

    /**
     * Gives the request up: chunks that have not begun will not begin. The request ends with its
     * parts that have begun, or during this call if none has.
     *
     * @param cause what the request fails with, unchecked
     */
    public void fail(Throwable cause) {
        keepFirst(describe(cause));
        if (hasBegun()) { // Else begin ends it.
            endRest();
        }
    }

    /**
     * Gives the request up because a part of it failed, on the calling thread.
     *
     * @param cause why
     * @throws OutOfMemoryError the cause, if Java's heap is full. Then the engine fails as a whole,
     *     and it does not matter whether the part ends
     */
    void failPart(Throwable cause) {
        if (RequestOwner.isFullHeap(cause)) {
            owner.heapIsFull();
            throw (OutOfMemoryError) cause;
        }
        fail(cause);
    }

    /**
     * Ends the request because the engine failed as a whole. No thread works on the request any
     * more. Does nothing if the request has ended or has not begun.
     *
     * @param cause what the request fails with, unless it has failed before
     * @throws OutOfMemoryError if there is no memory to call the listeners: call this again
     */
    public void endAs(Throwable cause) {
        if (hasBegun()) {
            keepFirst(cause);
            callListener();
        }
    }

    private Throwable describe(Throwable cause) {
        return switch (cause) {
            // Not of a mapped file of the store: MappedReader catches those.
            case InternalError _ when placement.target().isMapped() ->
                    new IllegalStateException(
                            "a page of the target is gone: was the file cut that it is mapped"
                                    + " from?",
                            cause);
            case IllegalStateException _ when !placement.target().scope().isAlive() ->
                    new IllegalStateException(
                            "the target's arena was closed before the read of "
                                    + source.files.root()
                                    + " had ended",
                            cause);
            case NativeMemoryError _ ->
                    OutOfMemoryException.ofElements(source.files.root().toString(), cause);
            default -> cause;
        };
    }

    private synchronized void keepFirst(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /**
     * {@return whether the request was begun: then it ends, and workers may work on it until then}
     */
    public boolean hasBegun() {
        return owner != null;
    }

    /** Ends the chunks that have not begun. */
    private void endRest() {
        if (parts.endSome(parts.takeRest())) {
            end();
        }
    }

    /** {@return the first failure, also one that came after the end; null if there is none} */
    public Throwable failure() {
        return failure;
    }

    /** {@return whether no further part needs to begin} */
    boolean hasFailed() {
        return failure != null;
    }

    Source source() {
        return source;
    }

    ChunkPlan plan() {
        return plan;
    }

    Placement placement() {
        return placement;
    }

    /** {@return the record for JDK Flight Recorder; null if there is no recording} */
    RecordedRead recorded() {
        return placement.recorded();
    }

    ChunkSink sink() {
        return placement.sink();
    }

    /** {@return whether the sink lends memory for files whose reads have this alignment} */
    boolean isLentMemoryFor(int alignment) {
        return sink() != null && !hasFailed() && sink().lendsFor(alignment);
    }

    /** {@return the number in the plan of the next chunk that may begin; -1 if there is none} */
    long takeChunk() {
        return parts.take(mayBegin());
    }

    boolean hasNextChunk() {
        return parts.hasNext(mayBegin());
    }

    private long mayBegin() {
        long ended = parts.ended();
        return ended < plan.chunks() ? plan.mayBegin(ended) : 0;
    }

    @Override
    public void partEnded() {
        long ended = parts.endOne();
        if (ended == plan.chunks()) {
            end();
        } else if (plan.mayBegin(ended) > plan.mayBegin(ended - 1)) {
            owner.goOn(this); // It may have left the work queue when no chunk could begin.
        }
    }

    private void end() {
        try {
            callListener();
        } catch (OutOfMemoryError e) {
            owner.heapIsFull(); // It calls endAs.
        }
    }

    private synchronized void callListener() {
        if (!haveAllEnded) {
            haveAllEnded = true;
            outcome = failure;
            owner.partsEnded(this);
            record();
        }
        if (!isTold) {
            if (listener != null) {
                listener.accept(outcome);
            }
            isTold = true;
            ended.countDown();
            owner.ended(this);
        }
    }

    private void record() {
        if (recorded() != null) {
            String array = source.files.root().toString();
            recorded().end(array, plan.chunks(), placement.target().byteSize(), outcome);
        }
    }
}
