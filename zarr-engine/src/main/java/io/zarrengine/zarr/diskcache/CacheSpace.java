package io.zarrengine.zarr.diskcache;

import io.zarrengine.bindings.FailSafeLogger;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The place of the cache on the disk. After a part of it was written, a thread looks at all files,
 * also those of other processes, and removes old ones. One process removes at a time. Nothing is
 * written before the size is known, or where removing does not keep up: also processes that end
 * before a look at all files ends stay within the bound.
 *
 * <p>Owner: the cache. Threads: any.
 */
final class CacheSpace implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** This part of the bound is written before the next look. */
    private static final int TURN_PART = 16;

    /** So long after a look that another process has prevented. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many files are looked at while the cache opens. */
    private static final int FILES_AT_OPEN_MAX = 1000;

    private final Path root;
    private final long bytesMax;
    private final Runnable onRemoved;
    private final AtomicLong used =
            new AtomicLong(); // as last measured, and what was written since
    private final AtomicLong sinceTurn = new AtomicLong();
    private volatile boolean isMeasured;
    private Thread thread; // null until there was a turn; this and the next two: guarded by this
    private long preventedNanos; // when a turn was not possible
    private boolean isClosed;

    /** {@code onRemoved}: is told when files were removed. */
    CacheSpace(Path root, long bytesMax, Runnable onRemoved) {
        this.root = root;
        this.bytesMax = bytesMax;
        this.onRemoved = onRemoved;
    }

    /** Looks at the files, or has a thread do it if there are many. */
    void open() throws IOException {
        AtomicInteger files = new AtomicInteger();
        long bytes =
                new CacheScan(root, () -> files.incrementAndGet() <= FILES_AT_OPEN_MAX).measure();
        if (files.get() <= FILES_AT_OPEN_MAX) {
            used.set(bytes);
            isMeasured = true;
        } else {
            beginTurn();
        }
    }

    long used() {
        return used.get();
    }

    /** {@return whether there is room for a number of bytes} */
    boolean hasRoom(long bytes) {
        long before = used.get();
        if (!isMeasured || before > bytesAfterTurn()) {
            beginTurn();
        }
        return isMeasured && before + bytes <= bytesMax;
    }

    void wrote(long bytes) {
        used.addAndGet(bytes);
        if (sinceTurn.addAndGet(bytes) >= bytesMax / TURN_PART) {
            beginTurn();
        }
    }

    private long bytesAfterTurn() {
        return bytesMax - bytesMax / 10;
    }

    /** Has a thread look at all files, unless one does. */
    private synchronized void beginTurn() {
        boolean isPrevented =
                preventedNanos != 0 && System.nanoTime() - preventedNanos < RETRY_NANOS;
        if (isClosed || isPrevented || (thread != null && thread.isAlive())) {
            return;
        }
        thread = Thread.ofPlatform().daemon().name("zarr-engine-disk-cache").unstarted(this::turn);
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // So Java calls a thread that the machine refuses.
            thread = null;
        }
    }

    private synchronized void setPrevented() {
        preventedNanos = System.nanoTime();
    }

    private synchronized boolean mayGoOn() {
        return !isClosed;
    }

    private void turn() {
        try {
            measure();
            if (used.get() > bytesAfterTurn()) {
                free();
            }
        } catch (IOException | RuntimeException e) {
            setPrevented();
            LOGGER.log(System.Logger.Level.WARNING, "disk cache " + root + ": " + e);
        }
    }

    static FileChannel openLock(Path root) throws IOException {
        return FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private CacheScan measure() throws IOException {
        long writtenBefore = sinceTurn.get();
        CacheScan scan = new CacheScan(root, this::mayGoOn);
        long bytes = scan.measure();
        if (mayGoOn()) {
            used.set(bytes + sinceTurn.addAndGet(-writtenBefore));
            isMeasured = true;
        }
        return scan;
    }

    private void free() throws IOException {
        try (FileChannel file = openLock(root);
                FileLock lock = file.tryLock()) {
            if (lock == null) {
                setPrevented();
                return;
            }
            CacheScan scan = measure(); // Another process may just have removed some.
            long wanted = used.get() - bytesAfterTurn();
            if (wanted > 0) {
                used.addAndGet(-scan.free(wanted));
                onRemoved.run();
            }
        } catch (OverlappingFileLockException e) { // Another engine of this process does it.
            setPrevented();
        }
    }

    /** Waits for the thread. */
    @Override
    public void close() {
        Thread last;
        synchronized (this) {
            isClosed = true;
            last = thread;
        }
        boolean interrupted = false;
        while (last != null && last.isAlive()) {
            try {
                last.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
