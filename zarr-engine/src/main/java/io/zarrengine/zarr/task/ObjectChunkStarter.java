package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.ChunkLocation;
import io.zarrengine.zarr.store.OpenedObjects;
import io.zarrengine.zarr.store.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts reading chunks that are objects of a store. Only a read can tell whether an object exists,
 * and its size. So a small chunk is read as a whole. Any other chunk is opened by a first read, for
 * all parts of requests that wait for it; for a shard, this read is that of its index.
 *
 * <p>Owner: the array. Threads: any.
 */
final class ObjectChunkStarter implements ChunkStarter {
    /**
     * Most bytes of a chunk that is read before its size is known. For a larger one, memory that it
     * may not need would be taken from other chunks.
     */
    static final long WHOLE_BYTES_MAX = 8 << 20;

    private final OpenedObjects objects;
    private final Map<String, ObjectOpening> openings = new HashMap<>(); // guarded by this

    ObjectChunkStarter(OpenedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void start(
            TaskRunner runner,
            ReadRequest request,
            String key,
            ChunkPipeline pipeline,
            List<Region> parts) {
        WantedChunk wanted = new WantedChunk(request, key, pipeline, parts);
        StoredObject opened = objects.opened(wanted.key());
        if (opened != null) {
            wanted.start(runner, whole(opened));
        } else if (!ChunkTask.isReadInParts(wanted.pipeline())
                && ObjectChunkTask.readBytes(runner, wanted) <= WHOLE_BYTES_MAX) {
            new ObjectChunkTask(this, wanted).start(runner);
        } else {
            open(runner, wanted);
        }
    }

    /** {@return the location of a chunk that is an object by itself} */
    static ChunkLocation whole(StoredObject object) {
        return new ChunkLocation(object.path(), object, 0, object.byteSize(), Optional.empty());
    }

    StoredObject unopened(String key) {
        return objects.unopened(key);
    }

    private void open(TaskRunner runner, WantedChunk wanted) {
        StoredObject opened;
        ObjectOpening opening = null;
        synchronized (this) {
            opened = objects.opened(wanted.key()); // An opening may have just ended.
            if (opened == null) {
                opening = join(new ObjectWaiter(wanted));
            }
        }
        if (opened != null) {
            wanted.start(runner, whole(opened));
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
     * Ends an opening: a later part of a request finds the object, or opens it again.
     *
     * @param found the object; null if it does not exist, or cannot be read
     */
    synchronized void close(String key, ObjectOpening opening, StoredObject found) {
        if (found != null) {
            objects.remember(key, found);
        }
        openings.remove(key, opening);
    }

    /** Remembers an object that was read as a whole. */
    void remember(String key, StoredObject found) {
        objects.remember(key, found);
    }
}
