package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.execute.MemoryBudget;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Files in the page cache whose pages are pinned, so that a device copies from there: the host
 * touches none of the bytes then but the headers that it checks.
 *
 * <p>Owner: the device's memories. Threads: any use files; the device's registers and ends them.
 */
final class RegisteredFiles implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.zarrengine.zarr");

    /** So many refusals in a row are the machine's. */
    private static final int REFUSALS_MAX = 16;

    /** Of which something is counted at least. */
    private static final int FILES_MAX = 16_384;

    /** Whoever has used none of a file for so long uses others now. */
    private static final long IDLE_NANOS = 1_000_000_000L;

    /** A window that is to be registered. Its file is retained. */
    private record Wanted(RegisteredFile file, int window) {}

    private final CudaDevice device;
    private final MappingRule rule;
    private final MemoryBudget pinned;
    private final Map<FileVersion, RegisteredFile> files = new ConcurrentHashMap<>();
    private final Queue<Wanted> wanted = new ConcurrentLinkedQueue<>();
    private final Queue<RegisteredFile> forgotten = new ConcurrentLinkedQueue<>();
    private volatile long idleLooked = System.nanoTime();
    private volatile boolean isOff; // this and the following: written by the device's thread
    private int refusals; // since a window was registered

    /** {@code pinned}: what may be kept in memory. */
    RegisteredFiles(CudaDevice device, MappingRule rule, MemoryBudget pinned) {
        this.device = device;
        this.rule = rule;
        this.pinned = pinned;
        this.isOff = !device.properties().readsFileMemory();
    }

    /**
     * {@return a file that a device may copy a part of, to be given back by {@link
     * RegisteredFile#release}; null if it may not, or not yet}
     */
    RegisteredFile tryUse(FileHandle handle, long offset, long partBytes) {
        if (isOff || handle.byteSize() < rule.fileBytesMin()) {
            return null;
        }
        RegisteredFile file = files.get(handle.version());
        file = file == null ? tryAdd(handle.version()) : file;
        if (file == null || !file.tryRetain()) {
            return null;
        }
        if (file.isRegistered(offset, partBytes)) {
            return file;
        }
        for (int window : file.ask(rule, offset, partBytes)) {
            if (file.tryMap(handle)) { // Else it stays wanted, and is not asked for again.
                file.retain();
                wanted.add(new Wanted(file, window));
            }
        }
        file.release();
        return null;
    }

    private RegisteredFile tryAdd(FileVersion version) {
        if (files.size() >= FILES_MAX) {
            forgetIdle();
            if (files.size() >= FILES_MAX) {
                return null;
            }
        }
        return files.computeIfAbsent(version, RegisteredFile::new);
    }

    /** It is not what its version says any more: from now on it is read, whoever has it open. */
    void distrust(RegisteredFile file) {
        if (files.replace(file.version(), file, RegisteredFile.ended(file.version()))) {
            file.release();
            forgotten.add(file);
        }
    }

    /** It is not used any more, and ends when nobody uses it. */
    private void forget(RegisteredFile file) {
        if (files.remove(file.version(), file) && !file.isUnused()) {
            file.release();
            forgotten.add(file);
        }
    }

    /** Looks from time to time for files that nobody uses any more. */
    private void forgetIdle() {
        long now = System.nanoTime();
        if (now - idleLooked < IDLE_NANOS) {
            return;
        }
        idleLooked = now;
        for (RegisteredFile file : files.values()) {
            if (file.idleNanos() > IDLE_NANOS) {
                forget(file);
            }
        }
    }

    /** Does a part of what there is to do on the device's thread; false if there is nothing. */
    boolean step() throws CudaException {
        closeForgotten();
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
        long windowBytes = next.file.windowBytes(next.window);
        if (!pinned.tryReserve(windowBytes)) {
            forgetIdle(); // There is room later.
            next.file.forgetAsked(next.window);
            return;
        }
        boolean isRegistered = false;
        try {
            isRegistered = next.file.tryRegister(device, next.window);
            if (isRegistered) {
                refusals = 0;
            } else {
                next.file.forgetAsked(next.window);
            }
        } catch (CudaException e) {
            if (device.loss().isPresent()) {
                throw e;
            }
            refused(e);
        } finally {
            if (!isRegistered) {
                pinned.release(windowBytes);
            }
        }
    }

    /** The window stays wanted: it is not asked for again. */
    private void refused(CudaException cause) {
        boolean isFirst = refusals++ == 0;
        LOGGER.log(
                isFirst ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                "the device does not copy from the page cache: " + cause.getMessage());
        isOff |= refusals >= REFUSALS_MAX;
    }

    private void closeForgotten() {
        Iterator<RegisteredFile> each = forgotten.iterator();
        while (each.hasNext()) {
            RegisteredFile file = each.next();
            if (file.isUnused()) {
                each.remove();
                close(file);
            }
        }
    }

    private void close(RegisteredFile file) {
        try {
            pinned.release(file.close());
        } catch (IllegalStateException e) { // Kept rather than unmapped under the device's hands.
            LOGGER.log(System.Logger.Level.ERROR, "the driver keeps a file: " + e.getMessage());
        }
    }

    /** Nobody uses a file any more. */
    @Override
    public void close() {
        for (Wanted next : new ArrayDeque<>(wanted)) {
            next.file.release();
        }
        files.values().forEach(this::forget);
        forgotten.forEach(this::close);
    }
}
