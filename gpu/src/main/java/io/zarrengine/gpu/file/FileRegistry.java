package io.zarrengine.gpu.file;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.uring.FileChanges;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Files in the page cache whose pages are pinned, so that a device copies from them. The host then
 * touches only the headers that it checks.
 *
 * <p>Owner: the device's memory. Threads: any use files; the device's registers and ends them.
 */
public final class FileRegistry implements AutoCloseable {
    /**
     * The time for which an unused file stays registered.
     *
     * @param unusedNanos the time without pressure
     * @param pressedNanos the time if other files need the room
     */
    public record Patience(long unusedNanos, long pressedNanos) {
        private static final Patience USEFUL = new Patience(30_000_000_000L, 10_000_000_000L);
        private static final Patience NONE = new Patience(30_000_000_000L, 0);

        public static Patience of(MappingRule rule) {
            return rule.isAtOnce() ? NONE : USEFUL;
        }
    }

    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** The maximum number of files for which requests are counted. */
    private static final int FILES_MAX = 16_384;

    /** The interval between two searches for unused files. */
    public static final long LOOK_NANOS = 1_000_000_000L;

    /** A window to register. Its file is retained. */
    private record Wanted(PinnedFile file, int window) {}

    private final CudaDevice device;
    private final MappingRule rule;
    private final Patience patience;
    private final MemoryBudget pinned;
    private final Map<FileVersion, PinnedFile> files = new ConcurrentHashMap<>();
    private final Queue<Wanted> wanted = new ConcurrentLinkedQueue<>();
    private final Queue<PinnedFile> forgotten = new ConcurrentLinkedQueue<>();
    private final RefusedFiles refusals = new RefusedFiles();
    private final boolean isOff;
    private long lookedNanos = System.nanoTime(); // device thread only

    /** {@code pinned} is the budget for pinned pages. */
    public FileRegistry(
            CudaDevice device, MappingRule rule, Patience patience, MemoryBudget pinned) {
        this.device = device;
        this.rule = rule;
        this.patience = patience;
        this.pinned = pinned;
        this.isOff = pinned.bytesMax() == 0 || !device.properties().readsFileMemory();
    }

    /**
     * {@return a file from which a device may copy a part, to be given back by {@link
     * PinnedFile#release}; null if it may not, or not yet, in which case the request is counted}
     *
     * @param changes the change detector of the calling thread
     */
    public PinnedFile tryUse(FileHandle handle, long offset, long bytes, FileChanges changes) {
        if (isOff || refusals.areTooMany() || handle.byteSize() < rule.fileBytesMin()) {
            return null;
        }
        PinnedFile file = files.get(handle.version());
        if (file == null && files.size() < FILES_MAX) {
            file = files.computeIfAbsent(handle.version(), PinnedFile::new);
        }
        if (file == null || !file.tryRetain()) {
            return null;
        }
        file.noteUse();
        if (file.isRegistered(offset, bytes)) {
            return file;
        }
        try {
            ask(file, handle, offset, bytes, changes);
        } finally {
            file.release();
        }
        return null;
    }

    private void ask(
            PinnedFile file, FileHandle handle, long offset, long bytes, FileChanges changes) {
        List<Integer> due = file.ask(rule, offset, bytes);
        if (due.isEmpty()) {
            return;
        }
        switch (file.map(handle, changes, rule)) {
            case DONE -> want(file, due);
            case LATER -> {} // a later request tries again
            case NEVER -> distrust(file);
        }
    }

    /** {@return whether a device copies a part of a file by itself at the moment} */
    public boolean mayUse(FileHandle handle, long offset, long bytes) {
        PinnedFile file = isOff ? null : files.get(handle.version());
        return file != null && file.isRegistered(offset, bytes);
    }

    private void want(PinnedFile file, List<Integer> windows) {
        for (int window : windows) {
            if (file.trySetWanted(window)) {
                file.retain();
                wanted.add(new Wanted(file, window));
            }
        }
    }

    /**
     * Stops registering a file that differs from its version or is of no use. It is read instead,
     * until it has been unused for long enough to be forgotten.
     */
    public void distrust(PinnedFile file) {
        if (files.replace(file.version(), file, PinnedFile.ended(file.version()))) {
            file.release();
            forgotten.add(file);
        }
    }

    /** Removes a file. It ends when its last user has released it. */
    private void forget(PinnedFile file) {
        if (files.remove(file.version(), file) && !file.isUnused()) { // it has ended otherwise
            file.release();
            forgotten.add(file);
        }
    }

    private void forgetUnused() {
        long now = System.nanoTime();
        if (now - lookedNanos > LOOK_NANOS) {
            lookedNanos = now;
            long nanos = files.size() < FILES_MAX ? patience.unusedNanos : patience.pressedNanos;
            files.values().stream().filter(file -> file.idleNanos() > nanos).forEach(this::forget);
        }
    }

    /** Forgets the least recently used files until the wanted bytes find room. */
    private void makeRoom(long bytes) {
        List<PinnedFile> oldestFirst =
                files.values().stream()
                        .filter(file -> file.registeredBytes() > 0)
                        .filter(file -> file.idleNanos() > patience.pressedNanos)
                        .sorted(Comparator.comparingLong(file -> -file.idleNanos()))
                        .toList();
        long found = 0;
        for (PinnedFile file : oldestFirst) {
            if (found < bytes) {
                found += file.registeredBytes();
                forget(file);
            }
        }
    }

    /** {@return whether the registry needs regular {@link #step} calls} */
    public boolean isInUse() {
        return !(files.isEmpty() && forgotten.isEmpty());
    }

    /**
     * {@return whether a registration must end} The driver then waits for all work of the device. A
     * decoder that never ends would go unnoticed meanwhile, so the device must be idle.
     */
    public boolean hasToEnd() {
        return firstToEnd() != null;
    }

    /**
     * Does one step of the registry's work on the device's thread. Returns false if there is
     * nothing to do.
     *
     * @param isIdle whether the device is idle
     */
    public boolean step(boolean isIdle) throws CudaException {
        forgetUnused();
        if (isIdle && endOne()) {
            return true;
        }
        Wanted next = wanted.poll();
        if (next == null) {
            return false;
        }
        try {
            register(next);
        } finally {
            next.file.release();
        }
        return true;
    }

    private void register(Wanted next) throws CudaException {
        long bytes = next.file.windowBytes(next.window);
        boolean isRegistered = false;
        if (!pinned.tryReserve(bytes)) {
            makeRoom(bytes); // for the next request
            next.file.forgetAsked(next.window);
            return;
        }
        try {
            isRegistered = next.file.tryRegister(device, next.window);
            if (isRegistered) {
                refusals.end();
            }
        } catch (CudaException e) {
            if (device.loss().isPresent()) {
                throw e;
            }
            refusals.add("the device does not copy from the page cache: " + e.getMessage());
        } finally {
            if (!isRegistered) {
                pinned.release(bytes);
                next.file.forgetAsked(next.window);
            }
        }
    }

    /** Ends one registration of an unused file. Returns false if there is none. */
    private boolean endOne() {
        PinnedFile file = firstToEnd();
        if (file == null) {
            return false;
        }
        try {
            long ended = file.closeNext();
            if (ended == 0) {
                forgotten.remove(file);
            } else {
                pinned.release(ended);
            }
        } catch (IllegalStateException e) { // not unmapped, because the device may still use it
            LOGGER.log(System.Logger.Level.ERROR, "the driver keeps a file: " + e.getMessage());
        }
        return true;
    }

    /**
     * Returns a forgotten file without users, or null. Allocates nothing, because the device thread
     * calls it in each turn.
     */
    private PinnedFile firstToEnd() {
        if (forgotten.isEmpty()) {
            return null;
        }
        for (PinnedFile file : forgotten) {
            if (file.isUnused()) {
                return file;
            }
        }
        return null;
    }

    /** Ends all files. They have no users any more. */
    @Override
    public void close() {
        wanted.forEach(next -> next.file.release());
        wanted.clear();
        files.values().forEach(this::forget);
        boolean isLeft = true;
        while (isLeft) {
            isLeft = endOne();
        }
    }
}
