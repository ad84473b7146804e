package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadQueue;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The files that a worker's queue knows. One stays known for a while after its last read: the next
 * stretch of a shard finds it again. Owner: one worker.
 */
final class QueueFiles {
    private static final class Entry {
        private final int number;
        private int uses;

        Entry(int number) {
            this.number = number;
        }
    }

    private final ReadQueue queue;
    private final Map<FileHandle, Entry> entries = new HashMap<>();

    QueueFiles(ReadQueue queue) {
        this.queue = queue;
    }

    /** {@return the file's number in the queue; it stays until {@link #unuse}} */
    int use(FileHandle file) {
        Entry entry = entries.get(file);
        if (entry == null) {
            if (entries.size() == queue.attachedMax()) {
                forgetUnused(); // There are fewer reads than numbers: at least one is not in use.
            }
            entry = new Entry(queue.attach(file));
            entries.put(file, entry);
        }
        entry.uses++;
        return entry.number;
    }

    void unuse(FileHandle file) {
        entries.get(file).uses--;
    }

    /** Gives up the files that no read uses. */
    void forgetUnused() {
        Iterator<Entry> all = entries.values().iterator();
        while (all.hasNext()) {
            Entry entry = all.next();
            if (entry.uses == 0) {
                queue.detach(entry.number);
                all.remove();
            }
        }
    }
}
