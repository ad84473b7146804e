package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.MissingChunkException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.store.ChunkLocation;
import io.zarrengine.zarr.store.ObjectFiles;
import io.zarrengine.zarr.store.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The chunks of an array that are objects of a store. Whether an object exists, and its size, only
 * a read can tell. So a chunk is read as a whole if it is small; of any other, a first read opens
 * it, for all who wait for it: of a shard, this read is the one of its index.
 *
 * <p>Owner: the array. Threads: any.
 */
public final class ObjectChunks implements ObjectChunkStarter {
    /** A larger chunk is opened first: memory for more than it has would be taken from others. */
    private static final long WHOLE_BYTES_MAX = 8 << 20;

    private final ObjectFiles files;
    private final Map<String, ObjectOpening> openings = new HashMap<>(); // guarded by this

    /** Takes the objects of the array. */
    public ObjectChunks(ObjectFiles files) {
        this.files = files;
    }

    /**
     * A part of a request: what it wants of one chunk.
     *
     * @param key the chunk, relative to the array
     * @param parts the positions wanted of it, in its encoded dimensions
     */
    record Wanted(ReadRequest request, String key, ChunkPipeline pipeline, List<Region> parts) {
        String label() {
            return request.source().files().root().resolve(key).toString();
        }

        /** Starts reading an object whose size is known. If this throws, nothing has begun. */
        void start(TaskRunner runner, StoredObject object) {
            var location =
                    new ChunkLocation(
                            object.path(), object, 0, object.byteSize(), Optional.empty());
            ChunkDispatch.start(runner, request, location, pipeline, parts);
        }

        /** Fills in for a chunk that does not exist. If this throws, the part has not ended. */
        void fill(TaskRunner runner) {
            if (!request.placement().fillsMissing()) {
                throw new MissingChunkException(label());
            }
            runner.placer().fill(request.placement(), pipeline, WantedRegions.of(parts));
        }
    }

    @Override
    public void start(
            TaskRunner runner,
            ReadRequest request,
            String key,
            ChunkPipeline pipeline,
            List<Region> parts) {
        Wanted wanted = new Wanted(request, key, pipeline, parts);
        StoredObject opened = files.opened(wanted.key());
        if (opened != null) {
            wanted.start(runner, opened);
        } else if (!ChunkTask.isReadInParts(wanted.pipeline())
                && ObjectChunkTask.readBytes(runner, wanted) <= WHOLE_BYTES_MAX) {
            new ObjectChunkTask(this, wanted).start(runner);
        } else {
            open(runner, wanted);
        }
    }

    StoredObject unopened(String key) {
        return files.unopened(key);
    }

    private void open(TaskRunner runner, Wanted wanted) {
        StoredObject opened;
        ObjectOpening opening = null;
        synchronized (this) {
            opened = files.opened(wanted.key()); // An opening may have just ended.
            if (opened == null) {
                opening = join(new ObjectWaiter(wanted));
            }
        }
        if (opened != null) {
            wanted.start(runner, opened);
        } else if (opening != null) {
            opening.start(runner);
        }
    }

    /**
     * Has a part wait; {@return the opening that the caller has to start, or null} Guarded by this.
     */
    private ObjectOpening join(ObjectWaiter waiter) {
        String key = waiter.wanted().key();
        ObjectOpening begun = openings.get(key);
        if (begun != null && begun.hasWanting()) {
            begun.add(waiter);
            return null;
        }
        ObjectOpening opening = new ObjectOpening(this, waiter);
        openings.put(key, opening);
        return opening;
    }

    /** {@return whether somebody still wants what an opening brings} */
    synchronized boolean isWanted(ObjectOpening opening) {
        return opening.hasWanting();
    }

    /**
     * Nobody joins an opening any more: who comes next finds the object, or opens it again.
     *
     * @param found the object; null if it does not exist, or cannot be read
     */
    synchronized void close(String key, ObjectOpening opening, StoredObject found) {
        if (found != null) {
            files.remember(key, found);
        }
        openings.remove(key, opening);
    }

    /** Remembers an object that was read as a whole. */
    void remember(String key, StoredObject found) {
        files.remember(key, found);
    }
}
