package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.files.Descriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The files of the cache that are kept open to read. Whether a file is still the one of its path is
 * looked up again after a second, because other processes replace and remove files; one that is not
 * used is closed after a while, because a removed file takes its place until it is closed.
 *
 * <p>Owner: the cache. Threads: any.
 */
final class OpenEntries implements AutoCloseable {
    private static final int FILES_MAX = Math.clamp(Descriptors.quarter() / 2, 1, 512);
    private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();

    /** The time of the last use is written so often at most. */
    private static final long USED_SECONDS = 60;

    private final ReadBackend backend;
    private final Caching caching;
    private final long unusedNanos;
    private final Runnable onClosed;
    private final Map<Path, OpenEntry> entries = // guarded by this
            new LinkedHashMap<>(16, 0.75f, true);
    private boolean isLookDue; // guarded by this
    private boolean isClosed; // guarded by this

    /**
     * Opens no file yet.
     *
     * @param unusedMax a file is closed when it was not used for so long, or twice that
     * @param onClosed is told when files were closed; any thread
     */
    OpenEntries(ReadBackend backend, Caching caching, Duration unusedMax, Runnable onClosed) {
        this.backend = backend;
        this.caching = caching;
        this.unusedNanos = unusedMax.toNanos();
        this.onClosed = onClosed;
    }

    ReadBackend backend() {
        return backend;
    }

    /**
     * {@return the open file of a path, retained for the caller; empty if there is none, or it is
     * damaged, or of another object}
     */
    Optional<OpenEntry> find(Path path, String name) {
        OpenEntry known = known(path);
        if (known != null && isCurrent(known) && known.file().tryRetain()) {
            return Optional.of(known);
        }
        if (known != null) {
            forget(known);
        }
        return open(path)
                .filter(entry -> {
                    boolean isOfObject = entry.header().name().equals(name);
                    if (!isOfObject) { // The hashes of two names are equal, or somebody moved
                        // files.
                        forget(entry);
                        entry.file().release();
                    }
                    return isOfObject;
                });
    }

    private synchronized OpenEntry known(Path path) {
        return entries.get(path);
    }

    private boolean isCurrent(OpenEntry entry) {
        if (entry.ageNanos() < RECHECK_NANOS) {
            return true;
        }
        closeUnused();
        try {
            String now = backend.version(entry.path()).identity();
            if (!now.equals(entry.file().version().identity())) {
                return false;
            }
            entry.setChecked();
            noteUse(entry);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Notes that it should be kept longer than others. */
    private static void noteUse(OpenEntry entry) throws IOException {
        long now = Instant.now().getEpochSecond();
        if (now - entry.usedSeconds() >= USED_SECONDS) {
            Files.setLastModifiedTime(entry.path(), FileTime.from(Instant.ofEpochSecond(now)));
            entry.setUsed(now);
        }
    }

    private void closeUnused() {
        List<OpenEntry> unused = new ArrayList<>();
        synchronized (this) {
            Iterator<OpenEntry> oldest = entries.values().iterator();
            while (oldest.hasNext()) {
                OpenEntry entry = oldest.next();
                if (entry.ageNanos() < unusedNanos) {
                    break;
                }
                oldest.remove();
                unused.add(entry);
            }
        }
        unused.forEach(entry -> entry.file().release());
        if (!unused.isEmpty()) {
            onClosed.run();
        }
    }

    /** Looks at the files later, even without a read. */
    private void lookLater() {
        if (isLookDue || isClosed || entries.isEmpty()) {
            return;
        }
        isLookDue = true;
        try {
            CompletableFuture.delayedExecutor(
                            unusedNanos, TimeUnit.NANOSECONDS, Thread::startVirtualThread)
                    .execute(this::look);
        } catch (OutOfMemoryError e) {
            isLookDue = false; // The next file that is opened tries again.
        }
    }

    private void look() {
        synchronized (this) {
            isLookDue = false;
        }
        closeUnused();
        synchronized (this) {
            lookLater();
        }
    }

    private Optional<OpenEntry> open(Path path) {
        FileHandle file;
        try {
            file = backend.open(path, caching);
        } catch (IOException e) { // There is none, or no descriptor for it.
            return Optional.empty();
        }
        OpenEntry entry = null;
        try {
            byte[] first = backend.read(file, 0, EntryHeader.BLOCK_BYTES);
            Optional<EntryHeader> header = EntryHeader.parse(first);
            if (header.isPresent()) {
                entry = new OpenEntry(path, file, header.get());
                noteUse(entry);
                keepOpen(entry);
            }
        } catch (IOException e) { // It is cut, or was removed.
            entry = null;
        } finally {
            if (entry == null) {
                file.release();
            }
        }
        return Optional.ofNullable(entry);
    }

    private void keepOpen(OpenEntry entry) {
        List<OpenEntry> given = new ArrayList<>();
        synchronized (this) {
            if (!isClosed) {
                entry.file().retain();
                OpenEntry before = entries.put(entry.path(), entry);
                if (before != null) {
                    given.add(before);
                }
                if (entries.size() > FILES_MAX) {
                    OpenEntry oldest = entries.values().iterator().next();
                    entries.remove(oldest.path());
                    given.add(oldest);
                }
                lookLater();
            }
        }
        given.forEach(each -> each.file().release());
    }

    /** Gives up a file. Its readers keep it open. */
    void forget(OpenEntry entry) {
        boolean isRemoved;
        synchronized (this) {
            isRemoved = entries.remove(entry.path(), entry);
        }
        if (isRemoved) {
            entry.file().release();
        }
    }

    /** Gives up the file of a path, if it is open. */
    void forget(Path path) {
        OpenEntry known = known(path);
        if (known != null) {
            forget(known);
        }
    }

    /** Gives up the files that are not those of their paths any more. */
    void forgetRemoved() {
        List<OpenEntry> all;
        synchronized (this) {
            all = List.copyOf(entries.values());
        }
        for (OpenEntry entry : all) {
            if (!Files.exists(entry.path())) {
                forget(entry);
            }
        }
    }

    @Override
    public void close() {
        List<OpenEntry> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(entries.values());
            entries.clear();
        }
        all.forEach(entry -> entry.file().release());
    }
}
