package io.zarrengine.uring;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The files that a queue knows. One stays known for a while after its last read: the next read of
 * it finds it again, and registering a file costs a system call. Owner: the queue's.
 */
public final class QueueFiles {
    private static final class Entry {
        private final int number;
        private int uses;

        Entry(int number) {
            this.number = number;
        }
    }

    private final ReadQueue queue;
    private final int filesMax;
    private final Map<FileHandle, Entry> entries = new HashMap<>();

    /**
     * Knows no file yet.
     *
     * @param queue the files are attached to it
     * @param filesMax how many it knows at most: as many as reads are in flight at once, or more;
     *     no more than the queue takes
     */
    public QueueFiles(ReadQueue queue, int filesMax) {
        this.queue = queue;
        this.filesMax = Math.min(filesMax, queue.attachedMax());
    }

    /**
     * {@return the file's number in the queue; it stays until {@link #unuse}}
     *
     * @param file an open file
     */
    public int use(FileHandle file) {
        Entry entry = entries.get(file);
        if (entry == null) {
            if (entries.size() == filesMax) {
                forgetUnused(); // There are fewer reads than files: at least one is not in use.
            }
            entry = new Entry(queue.attach(file));
            entries.put(file, entry);
        }
        entry.uses++;
        return entry.number;
    }

    /**
     * Ends what {@link #use} began; the file may stay attached.
     *
     * @param file of which no read is in flight for this use
     */
    public void unuse(FileHandle file) {
        entries.get(file).uses--;
    }

    /** Gives up the files that no read uses. */
    public void forgetUnused() {
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
