package io.zarrengine.uring;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The files known to a queue. A file stays attached for a while after its last read, because the
 * next read may use it again and registering a file costs a system call. Owner: the queue's.
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
     * Creates an empty set.
     *
     * @param queue the queue to which the files are attached
     * @param filesMax most files to keep attached: at least the most reads in flight; limited to
     *     the queue's maximum
     */
    public QueueFiles(ReadQueue queue, int filesMax) {
        this.queue = queue;
        this.filesMax = Math.min(filesMax, queue.attachedMax());
    }

    /**
     * {@return the file's number in the queue, valid until {@link #unuse}}
     *
     * @param file an open file
     */
    public int use(FileHandle file) {
        Entry entry = entries.get(file);
        if (entry == null) {
            if (entries.size() == filesMax) {
                forgetUnused(); // With fewer reads than files, at least one is unused.
            }
            entry = new Entry(queue.attach(file));
            entries.put(file, entry);
        }
        entry.uses++;
        return entry.number;
    }

    /**
     * Ends one {@link #use}. The file may stay attached.
     *
     * @param file a file with no read in flight for this use
     */
    public void unuse(FileHandle file) {
        entries.get(file).uses--;
    }

    /** Detaches the files that no read uses. */
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
