package io.zarrengine.uring.files;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/**
 * A cache of open files, by path. Files that were not requested recently are closed first.
 *
 * <p>Owner: its creator. Threads: any, virtual ones too; finding an open file takes no lock. A file
 * is opened outside the lock, once for all threads that request it at that moment. The cache
 * retains each file once. A reader that still reads an evicted file keeps it open, so the process
 * has at most {@code filesMax} descriptors more than its readers need. All caches of a process
 * together keep at most a quarter of its descriptor limit.
 *
 * <p>A file stays the version that it was when it was opened. When the process has no descriptors
 * left, all caches give up half of their files, and this one opens again.
 */
public final class FileCache implements AutoCloseable {
    /** Most files of one cache, if the limit of all caches allows it. */
    public static final int FILES_MAX = 512;

    // EMFILE, as the JDK words it.
    private static final String NO_DESCRIPTORS = "Too many open files";

    /** Opens files for the cache. */
    interface Source {
        FileHandle open(Path path) throws IOException;

        FileVersion version(Path path) throws IOException;
    }

    private static final class Entry {
        private final CompletableFuture<FileHandle> opened = new CompletableFuture<>();
        private volatile long checkedNanos = System.nanoTime();
    }

    private final Source source;
    private final long recheckNanos;
    private final OpenFiles openFiles;
    private final int filesMax;
    private final LongAdder hits = new LongAdder();
    private final ClockMap<Path, Entry> entries = new ClockMap<>(); // guards the rest
    private volatile int size; // of the entries
    private volatile boolean closed;
    private long opens;
    private long evictions;
    private long replacements;
    private long shrinks;

    /**
     * Creates an empty cache.
     *
     * @param backend opens the files; must outlive the cache
     * @param caching the way in which they are opened
     * @param filesMax most open files, {@code > 0}
     * @param recheckAfter longest age of a file's last check when the file is returned: {@link
     *     Duration#ZERO} asks the file system each time (about a microsecond), a long one almost
     *     never
     */
    public FileCache(ReadBackend backend, Caching caching, int filesMax, Duration recheckAfter) {
        this(
                new Source() {
                    @Override
                    public FileHandle open(Path path) throws IOException {
                        return backend.open(path, caching);
                    }

                    @Override
                    public FileVersion version(Path path) throws IOException {
                        return backend.version(path);
                    }
                },
                filesMax,
                recheckAfter,
                OpenFiles.OF_PROCESS);
    }

    FileCache(Source source, int filesMax, Duration recheckAfter, OpenFiles openFiles) {
        if (filesMax < 1) {
            throw new IllegalArgumentException("filesMax " + filesMax);
        }
        this.source = source;
        this.filesMax = filesMax;
        this.recheckNanos = saturatedNanos(recheckAfter);
        this.openFiles = openFiles;
    }

    private static long saturatedNanos(Duration duration) {
        boolean fits = duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0;
        return fits ? duration.toNanos() : Long.MAX_VALUE;
    }

    /**
     * {@return the file of a path, retained for the caller}
     *
     * @param path a regular file; the same file under two paths is opened twice
     * @throws IOException if the file cannot be opened, see {@link ReadBackend#open}
     * @throws IllegalStateException if the cache is closed
     */
    public FileHandle open(Path path) throws IOException {
        while (true) {
            Entry mine = new Entry();
            Entry known = find(path, mine);
            if (known == null) {
                return openFirst(path, mine);
            }
            FileHandle file = await(known);
            if (isCurrent(path, known, file) && file.tryRetain()) {
                return file;
            }
            // The file was evicted before we retained it, or is another version. The next round
            // opens it.
            remove(path, known);
        }
    }

    /** Returns the entry of a path, or null after {@code mine} was added in its place. */
    private Entry find(Path path, Entry mine) {
        Entry known = closed ? null : entries.find(path);
        if (known == null) {
            known = findOrPut(path, mine);
        }
        if (known != null) {
            hits.increment();
        }
        return known;
    }

    private Entry findOrPut(Path path, Entry mine) {
        synchronized (entries) {
            if (closed) {
                throw new IllegalStateException("the cache of files is closed");
            }
            Entry known = entries.find(path);
            if (known == null) {
                entries.put(path, mine);
                size = entries.size();
                openFiles.added(this);
                opens++;
            }
            return known;
        }
    }

    private FileHandle openFirst(Path path, Entry mine) throws IOException {
        FileHandle file;
        try {
            file = openWithRoom(path);
        } catch (IOException | RuntimeException | Error e) {
            remove(path, mine);
            mine.opened.completeExceptionally(e);
            throw e;
        }
        file.retain(); // Once for the cache, once for the caller.
        try {
            mine.checkedNanos = System.nanoTime();
            mine.opened.complete(file);
            trim(mine);
            return file;
        } catch (RuntimeException | Error e) { // The cache keeps the file.
            file.release();
            throw e;
        }
    }

    private FileHandle openWithRoom(Path path) throws IOException {
        while (true) {
            try {
                return source.open(path);
            } catch (IOException e) {
                if (!isOutOfDescriptors(e) || !openFiles.shrink()) {
                    throw e;
                }
            }
        }
    }

    private static boolean isOutOfDescriptors(IOException e) {
        if (e instanceof ErrnoException failure) {
            return failure.errno() == Errno.EMFILE || failure.errno() == Errno.ENFILE;
        }
        return e instanceof FileSystemException failure
                && NO_DESCRIPTORS.equals(failure.getReason());
    }

    /** Waits for the thread that opens the file, for any time; fails if that thread fails. */
    private static FileHandle await(Entry entry) throws IOException {
        try {
            return entry.opened.join();
        } catch (java.util.concurrent.CompletionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                default -> throw e;
            }
        }
    }

    /** Returns whether a file is the one that its path leads to, checked within recheckNanos. */
    private boolean isCurrent(Path path, Entry entry, FileHandle file) throws IOException {
        long now = System.nanoTime();
        if (recheckNanos == Long.MAX_VALUE || now - entry.checkedNanos < recheckNanos) {
            return true;
        }
        boolean current;
        try {
            current = source.version(path).equals(file.version());
        } catch (IOException e) {
            forget(path); // The file is gone. The next caller gets the failure at once.
            throw e;
        }
        if (current) {
            entry.checkedNanos = now;
        } else {
            synchronized (entries) {
                replacements++;
            }
        }
        return current;
    }

    /**
     * Gives up the file of a path, if it is in the cache. Its readers keep it open.
     *
     * @param path the path that the file was opened by
     */
    public void forget(Path path) {
        Entry known = entries.find(path);
        if (known != null) {
            remove(path, known);
        }
    }

    private void remove(Path path, Entry entry) {
        boolean removed;
        synchronized (entries) {
            removed = entries.remove(path, entry);
            if (removed) {
                countRemoved();
            }
        }
        if (removed) {
            giveUp(entry);
        }
    }

    /** Releases the file of a removed entry, also of one that is still being opened. */
    private static void giveUp(Entry entry) {
        CompletableFuture<Void> _ = entry.opened.thenAccept(FileHandle::release);
    }

    private void countRemoved() {
        size = entries.size();
        openFiles.removed(this);
    }

    /**
     * Gives up files over the limit. Keeps {@code newest} unless the cache is closed, because it
     * was not found yet and would be evicted first.
     */
    private void trim(Entry newest) {
        giveUpOldest(_ -> closed ? 0 : filesMax, entry -> closed || !entry.equals(newest));
        openFiles.trim();
    }

    /** {@return the number of files kept or being opened} */
    int size() {
        return size;
    }

    /** Gives up the oldest file; returns whether there was one. */
    boolean giveUpOldest() {
        return giveUpOldest(files -> files - 1, _ -> true) > 0;
    }

    /** Gives up half of the files; returns whether there were any. */
    boolean giveUpHalf() {
        boolean gaveUp = giveUpOldest(files -> files / 2, _ -> true) > 0;
        if (gaveUp) {
            synchronized (entries) {
                shrinks++;
            }
        }
        return gaveUp;
    }

    /** Gives up files until {@code filesLeft} remain; returns the number of files given up. */
    private int giveUpOldest(IntUnaryOperator filesLeft, Predicate<Entry> mayGo) {
        List<Entry> evicted;
        synchronized (entries) {
            evicted = evictDownTo(filesLeft.applyAsInt(size), mayGo);
        }
        evicted.forEach(FileCache::giveUp);
        return evicted.size();
    }

    /**
     * Removes entries that were not requested recently. Entries still being opened stay, because
     * they hold no file.
     */
    private List<Entry> evictDownTo(int filesLeft, Predicate<Entry> mayGo) {
        List<Entry> evicted = new ArrayList<>();
        while (size > filesLeft) {
            Entry oldest =
                    entries.removeOldest(entry -> entry.opened.isDone() && mayGo.test(entry));
            if (oldest == null) {
                break;
            }
            evicted.add(oldest);
            countRemoved();
            evictions++;
        }
        return evicted;
    }

    /** {@return the counters so far} */
    public FileCacheCounters counters() {
        synchronized (entries) {
            return new FileCacheCounters(hits.sum(), opens, evictions, replacements, shrinks);
        }
    }

    /** Gives up all files. A file that is being opened is given up once it is open. */
    @Override
    public void close() {
        synchronized (entries) {
            closed = true;
        }
        trim(null);
    }
}
