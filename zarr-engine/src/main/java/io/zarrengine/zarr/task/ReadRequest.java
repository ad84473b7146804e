package io.zarrengine.zarr.task;

import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.uring.reading.Notifier;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Reads positions of one array into one target. {@link RequestChunks} hands out the chunks that
 * contain these positions.
 *
 * <p>A request ends when all its parts have ended, also if one of them failed. After its end nobody
 * writes to the target. Threads: any.
 */
public final class ReadRequest extends Notifier.Pending implements Completion {
    /**
     * An array, as a request reads it.
     *
     * @param files the open chunk files
     * @param keys how chunks are named
     * @param pipelines how a chunk is encoded
     * @param fillElement the fill value in native byte order; for a type of variable length, its
     *     bytes
     * @param fillsMissing whether the fill value replaces chunks that were never written; if not, a
     *     missing chunk is an error
     * @param objects starts chunks that are objects of a store; null if chunks are in files
     */
    public record Source(
            ChunkFiles files,
            ChunkKeyEncoding keys,
            ArrayPipeline pipelines,
            MemorySegment fillElement,
            boolean fillsMissing,
            ChunkStarter objects) {}

    /** The time between two looks of {@link #awaitEnd}, which has no memory to be notified. */
    private static final long END_POLL_NANOS = 100_000;

    /** A waiting caller looks this often whether the request ended without memory to notify it. */
    private static final long LOOK_SECONDS = 1;

    private final Source source;
    private final ChunkPlan plan;
    private final Placement placement;
    private final PartCounter parts; // counts the chunks
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    // begin() sets the next two, before a worker sees the request, and onEnd last.
    private Runnable goOn;
    private volatile Runnable onEnd;
    private volatile Throwable failure; // the first failure; null if there is none
    private Notifier notifier; // also set by begin()
    private boolean isForgotten; // the executor does not count it any more; guarded by this
    private volatile boolean isUntold; // ended, without memory to notify callers
    private volatile BooleanSupplier telling; // to attempt again; null if none

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
     * Makes the request ready for workers.
     *
     * @param newGoOn offers the request to workers again when chunks that had to wait may begin
     * @param newOnEnd runs just before the listeners of the end
     * @param newNotifier later notifies callers that there was no memory to notify
     */
    public void begin(Runnable newGoOn, Runnable newOnEnd, Notifier newNotifier) {
        goOn = newGoOn;
        notifier = newNotifier;
        onEnd = newOnEnd;
        if (recorded() != null) {
            recorded().begin();
        }
        if (plan.chunks() == 0) {
            end();
        } else if (hasFailed()) {
            endRest();
        }
    }

    /**
     * Notifies a listener when the request has ended.
     *
     * @param listener gets the failure, or null; runs on a worker's thread, or at once if the
     *     request has ended; must be quick and not throw
     */
    public void whenEnded(Consumer<Throwable> listener) {
        var _ = ended.whenComplete((nothing, failure) -> listener.accept(failure));
    }

    /**
     * Waits until the request has ended, and throws its failure.
     *
     * @throws InterruptedException if the thread is interrupted; the request goes on
     */
    public void await() throws InterruptedException {
        try {
            while (!ended.isDone()) {
                tellAgain();
                awaitShortly();
            }
            ended.get();
        } catch (ExecutionException | CancellationException e) {
            switch (failure) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new AssertionError("requests fail unchecked", e);
            }
        }
    }

    private void awaitShortly() throws InterruptedException, ExecutionException {
        try {
            ended.get(LOOK_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // The caller looks again.
        }
    }

    /**
     * Notifies a caller of the end a little later. Never throws.
     *
     * @param newTelling notifies, and returns whether that was done before; repeated, on any
     *     thread, until it returns true; may throw an {@link OutOfMemoryError}
     */
    public void tellLater(BooleanSupplier newTelling) {
        telling = newTelling;
        notifier.add(this);
    }

    /**
     * Notifies the callers now if the request has ended and there was no memory to notify them.
     *
     * @throws OutOfMemoryError if there is still no memory
     */
    @Override
    public boolean tellAgain() {
        if (isUntold && !ended.isDone()) {
            onEnd.run();
            tell();
        }
        BooleanSupplier attempt = telling;
        return attempt == null || attempt.getAsBoolean();
    }

    /** Waits until no worker works on the request. Takes no memory. */
    public void awaitEnd() {
        while (hasBegun() && !ended.isDone()) {
            LockSupport.parkNanos(END_POLL_NANOS);
            tellAgain();
        }
    }

    /**
     * Fails the request. Chunks that have not begun never begin. The request ends when the last
     * chunk under way ends, or in this call if none is under way. If this throws for lack of
     * memory, it must be called again.
     *
     * @param cause an unchecked exception or an error, what the request fails with
     */
    public void fail(Throwable cause) {
        keepFirst(describe(cause));
        if (onEnd != null) { // If null, begin() will see the failure.
            endRest();
        }
    }

    private Throwable describe(Throwable cause) {
        try {
            return switch (cause) {
                case InternalError _
                        when placement.target().isMapped() -> // The store's files: elsewhere.
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
        } catch (OutOfMemoryError _) {
            return cause;
        }
    }

    /** {@return whether this is the first call} The executor then stops counting the request. */
    public synchronized boolean isForgottenFirst() {
        boolean isFirst = !isForgotten;
        isForgotten = true;
        return isFirst;
    }

    /** Uses a lock, because to link a VarHandle takes memory and there may be none. */
    private synchronized void keepFirst(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** {@return whether workers may have seen the request, which then ends at some time} */
    public boolean hasBegun() {
        return onEnd != null;
    }

    /** Ends the chunks that no worker has begun. */
    private void endRest() {
        if (parts.endSome(parts.takeRest())) {
            end();
        }
    }

    /** {@return the first failure; null if nothing has failed} */
    public Throwable failure() {
        return failure;
    }

    /** {@return whether the request has failed, so that the rest of its work is needless} */
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

    /** {@return the record for JDK Flight Recorder; null without a recording} */
    RecordedRead recorded() {
        return placement.recorded();
    }

    ChunkSink sink() {
        return placement.sink();
    }

    /** {@return whether the sink lends memory for reads with this alignment, in bytes} */
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
            goOn.run(); // No queue may hold it: it had no chunk to begin.
        }
    }

    /** Ends the request. Never throws: without memory, the notifier notifies callers later. */
    private void end() {
        try {
            onEnd.run();
            record();
            tell();
        } catch (OutOfMemoryError e) {
            isUntold = true;
            notifier.add(this);
        }
    }

    private void record() {
        Throwable cause = failure;
        if (recorded() != null) {
            String array = source.files.root().toString();
            recorded().end(array, plan.chunks(), placement.target().byteSize(), cause);
        }
    }

    private void tell() {
        Throwable cause = failure;
        if (cause == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(cause);
        }
    }
}
