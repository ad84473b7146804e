package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The first read of an object, and the parts of requests that wait for it. It finds the size and
 * the version; of a shard it reads the index, and of a small shard all the rest too. If it fails,
 * all waiters fail. If the request that began it is cancelled, it goes on for the others.
 *
 * <p>Threads: {@link ObjectChunkStarter} guards the list of waiters until it closes this opening;
 * then the list belongs to the thread that closed it.
 */
final class ObjectOpening implements ReadTask {
    /** The heap that a small shard may take until all that wait for it have read it. */
    private static final long WHOLE_BYTES_MAX = 256 << 10;

    private final ObjectChunkStarter chunks;
    private final WantedChunk first;
    private final StoredObject object;
    private final ArrayDeque<ObjectWaiter> waiting = new ArrayDeque<>();
    private boolean isFromEnd; // whether the end of the object is read; set before the read
    private volatile Throwable failure; // null unless it has failed

    ObjectOpening(ObjectChunkStarter chunks, ObjectWaiter first) {
        this.chunks = chunks;
        this.first = first.wanted();
        this.object = chunks.unopened(this.first.key());
        waiting.add(first);
    }

    void add(ObjectWaiter waiter) {
        waiting.add(waiter);
    }

    boolean hasWanting() {
        return waiting.stream().anyMatch(ObjectWaiter::isWanted);
    }

    /** Never throws: who waits fails. */
    void start(TaskRunner runner) {
        try {
            Optional<Serializer.Shard> shard = shard();
            long bytes = shard.map(found -> bytesToRead(runner, found)).orElse(1L);
            isFromEnd =
                    shard.isPresent()
                            && !shard.get().index().atStart()
                            && bytes == shard.get().indexBytes();
            runner.startRead(this, 0, isFromEnd ? -bytes : 0, bytes, 0);
        } catch (OutOfMemoryError e) {
            fail(e);
            ended(0);
        }
    }

    private Optional<Serializer.Shard> shard() {
        return ChunkTask.isReadInParts(first.pipeline())
                ? Optional.of((Serializer.Shard) first.pipeline().serializer())
                : Optional.empty();
    }

    /**
     * {@return the size of the index; of a shard that costs no more than another request all that
     * it may have} Usually inner chunks do not grow when they are encoded. If they do, the end is
     * missing, and an index there is read next. To ask for more from the end than there is would
     * spare that, but some servers refuse it.
     */
    private long bytesToRead(TaskRunner runner, Serializer.Shard shard) {
        long[] part = first.request().source().pipelines().largestPart();
        long whole = shard.likelyBytesMax(first.pipeline().encodedLengths(), part);
        long most = Math.min(object.fuseRule().gapBytes(), runner.fusedBytesMax(object));
        return whole <= Math.min(most, WHOLE_BYTES_MAX) ? whole : shard.indexBytes();
    }

    @Override
    public boolean isWanted() {
        return failure == null && chunks.isWanted(this);
    }

    @Override
    public boolean takesWhatThereIs() {
        return true;
    }

    @Override
    public RecordedRead recorded() {
        return null; // It may be read for several requests.
    }

    @Override
    public FileHandle file() {
        return object;
    }

    @Override
    public String describe(int stretch) {
        return shard().isPresent() ? first.label() + ", shard index" : first.label();
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        StoredObject found = bytes == null ? null : object.opened();
        StoredObject read = found;
        if (bytes != null && shard().isPresent()) {
            addIndex(runner, found, bytes);
            boolean isWhole = bytes.byteSize() == found.byteSize();
            read = isWhole ? found.holding(bytes) : found;
        }
        chunks.close(first.key(), this, found);
        for (ObjectWaiter waiter : waiting) {
            waiter.found(read);
        }
        while (waiting.size() > 1) { // What is offered last is taken first.
            runner.offer(waiting.removeLast());
        }
        waiting.remove().startNext(runner);
    }

    /** Adds the index to those that are known. One that is cut short is reported by each shard. */
    private void addIndex(TaskRunner runner, StoredObject found, MemorySegment bytes)
            throws CodecException {
        ChunkTask chunk =
                new ChunkTask(
                        first.request(),
                        first.request(),
                        found,
                        0,
                        found.byteSize(),
                        first.label(),
                        first.pipeline(),
                        first.parts());
        ShardTask shard = new ShardTask(chunk);
        long indexBytes = shard.indexBytes();
        boolean isAtStart = shard().orElseThrow().index().atStart();
        boolean hasEnd = isFromEnd || bytes.byteSize() == found.byteSize();
        if (bytes.byteSize() >= indexBytes && (isAtStart || hasEnd)) {
            long at = isAtStart ? 0 : bytes.byteSize() - indexBytes;
            try (ShardIndex index = runner.addIndex(shard, bytes.asSlice(at, indexBytes))) {
                assert index != null;
            }
        }
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
    }

    /** Fails the waiters that are left, as the read has failed; the others were cancelled. */
    @Override
    public void ended(int stretch) {
        chunks.close(first.key(), this, null);
        while (!waiting.isEmpty()) {
            ObjectWaiter waiter = waiting.remove();
            if (failure != null) {
                waiter.fail(failure);
            }
            waiter.startNext(null);
        }
    }
}
