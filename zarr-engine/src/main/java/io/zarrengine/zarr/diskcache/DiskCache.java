package io.zarrengine.zarr.diskcache;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps on a local disk what was read from stores. Each object has a file, in which the blocks that
 * were read lie at their places, each with a check. A block that is damaged or not whole is not
 * found. Several processes may use a folder at once.
 *
 * <p>Owner: the engine. Threads: any.
 */
public final class DiskCache implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** The version of the format. */
    private static final String ROOT = "v1";

    /** After a write has failed, nothing is written for so long. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final DiskCacheOptions options;
    private final InstantSource clock;
    private final Path root;
    private final OpenEntries entries;
    private final CacheSpace space;
    private final LongAdder found = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicInteger closings = new AtomicInteger();
    private volatile long pausedUntilMillis;
    private volatile Runnable onClosed = () -> {};

    private DiskCache(
            DiskCacheOptions options,
            Path root,
            ReadBackend backend,
            Caching caching,
            InstantSource clock) {
        this.options = options;
        this.root = root;
        this.entries = new OpenEntries(backend, caching, options.unusedMax(), this::filesClosed);
        this.clock = clock;
        this.space = new CacheSpace(root, options.bytesMax(), this::filesRemoved);
    }

    /**
     * Opens a cache.
     *
     * @param options its folder is created if missing, for this user only
     * @param backend reads its files; outlives the cache
     * @param caching the way in which they are read
     * @param clock the time of day
     * @return the cache
     * @throws IOException if the folder cannot be written; the message names it
     */
    public static DiskCache open(
            DiskCacheOptions options, ReadBackend backend, Caching caching, InstantSource clock)
            throws IOException {
        Path folder = backend.absolute(options.folder());
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        Files.createDirectories(folder);
        Path root = folder.resolve(ROOT);
        if (!Files.isDirectory(root)) {
            createFolders(root);
        }
        try (FileChannel _ = CacheSpace.openLock(root)) { // It can be written.
            DiskCache cache = new DiskCache(options, root, backend, caching, clock);
            cache.space.open();
            return cache;
        }
    }

    /** Creates a folder and what is missing above it, for this user only. */
    static void createFolders(Path folder) throws IOException {
        boolean isPosix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (isPosix) {
            Set<PosixFilePermission> ofThisUser = PosixFilePermissions.fromString("rwx------");
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ofThisUser));
        } else {
            Files.createDirectories(folder);
        }
    }

    /**
     * {@return the kept part of an object}
     *
     * @param store a name that no other store has
     * @param key of the object
     * @param openedMillis when its array was opened, by {@link #nowMillis}
     */
    public KeptObject object(String store, String key, long openedMillis) {
        return new KeptObject(this, store + '\0' + key, openedMillis);
    }

    /** {@return counters of the work so far} */
    public DiskCacheCounters counters() {
        return new DiskCacheCounters(
                found.sum(), missed.sum(), written.sum(), failures.sum(), space.used());
    }

    /**
     * {@return the bytes of the disk that a folder's cache takes; empty if there is none}
     *
     * @param folder any path
     * @throws IOException if it cannot be read
     */
    public static Optional<Long> bytesIn(Path folder) throws IOException {
        Path root = folder.resolve(ROOT);
        return Files.isDirectory(root)
                ? Optional.of(new CacheScan(root, () -> true).measure())
                : Optional.empty();
    }

    Path root() {
        return root;
    }

    OpenEntries entries() {
        return entries;
    }

    /** {@return the time of day, in milliseconds since 1970} */
    public long nowMillis() {
        return clock.millis();
    }

    /** {@return whether a version counts as the current one, for an array opened at a time} */
    boolean isCurrent(EntryHeader header, long openedMillis) {
        long confirmed = header.confirmedMillis();
        long age = nowMillis() - confirmed;
        boolean isYoung = Duration.ofMillis(age).compareTo(options.maxAge()) < 0;
        return age >= 0 && (confirmed > openedMillis || isYoung);
    }

    void found(long bytes) {
        found.add(bytes);
    }

    void missed(long bytes) {
        missed.add(bytes);
    }

    int closings() {
        return closings.get();
    }

    private void filesRemoved() {
        entries.forgetRemoved();
        filesClosed();
    }

    private void filesClosed() {
        closings.incrementAndGet();
        onClosed.run();
    }

    /**
     * Sets a listener, which runs when the cache has closed files. Readers that hold such files
     * open should close them too, because a removed file takes room on the disk until then.
     *
     * @param newOnClosed runs on any thread
     */
    public void onClosed(Runnable newOnClosed) {
        onClosed = newOnClosed;
    }

    boolean mayWrite(long bytes) {
        return nowMillis() >= pausedUntilMillis && space.hasRoom(bytes);
    }

    /** Never throws: the reader has the bytes. */
    void write(EntryWriter writer, long from, MemorySegment blocks) {
        try {
            long taken = writer.write(from, blocks);
            written.add(blocks.byteSize());
            space.wrote(taken);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            failures.increment();
            pausedUntilMillis = nowMillis() + PAUSE.toMillis();
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "disk cache, nothing is written for " + PAUSE.toSeconds() + " s: " + e);
        }
    }

    /** A block is not what was written. When it has been read by its store, it is written again. */
    void damaged(OpenEntry entry) {
        failures.increment();
        entries.forget(entry);
    }

    void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException _) {
            // Then its version still does not fit.
        }
        entries.forget(path);
    }

    /** Closes the files, and waits for the thread that removes old ones. */
    @Override
    public void close() {
        space.close();
        entries.close();
    }
}
