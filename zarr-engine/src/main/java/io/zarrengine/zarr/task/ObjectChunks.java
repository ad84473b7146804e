package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
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
final class ObjectChunks implements ObjectChunkStarter {
    /** A larger chunk is opened first: memory for more than it has would be taken from others. */
    static final long WHOLE_BYTES_MAX = 8 << 20;

    private final ObjectFiles files;
    private final Map<String, ObjectOpening> openings = new HashMap<>(); // guarded by this

    /** Takes the objects of the array. */
    ObjectChunks(ObjectFiles files) {
        this.files = files;
    }

    @Override
    public void start(
            TaskRunner runner,
            ReadRequest request,
            String key,
            ChunkPipeline pipeline,
            List<Region> parts) {
        WantedChunk wanted = new WantedChunk(request, key, pipeline, parts);
        StoredObject opened = files.opened(wanted.key());
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
        return files.unopened(key);
    }

    private void open(TaskRunner runner, WantedChunk wanted) {
        StoredObject opened;
        ObjectOpening opening = null;
        synchronized (this) {
            opened = files.opened(wanted.key()); // An opening may have just ended.
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
