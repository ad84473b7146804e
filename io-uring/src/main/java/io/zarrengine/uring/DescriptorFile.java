package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.FileStatus;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativePath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** A file opened with open(2), for a ring or preadv. */
final class DescriptorFile extends FileHandle {
    /** Message for ENOTDIR. */
    static final String BELOW_A_FILE = "lies below a file that is no folder";

    private final int descriptor;
    private final int owner; // user id
    private final AtomicLong bytesAsked = new AtomicLong(); // read before the file was mapped
    private final ReentrantLock mappingLock = new ReentrantLock(); // held while mapping the file
    private FileMapping opened; // null: none
    private volatile FileMapping mapping; // null: must not be used
    private volatile boolean isMappingKnown; // set after mapping

    private DescriptorFile(
            Path path,
            FileVersion version,
            int owner,
            Caching caching,
            int alignment,
            int descriptor) {
        super(path, version, caching, alignment);
        this.owner = owner;
        this.descriptor = descriptor;
    }

    static DescriptorFile open(Path path, Caching caching) throws IOException {
        return open(path, caching, new AutoCaching());
    }

    static DescriptorFile open(Path path, Caching caching, AutoCaching auto) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            int descriptor =
                    LibC.open(
                            callState,
                            NativePath.of(arena, path),
                            LibC.O_RDONLY_CLOEXEC | LibC.O_NONBLOCK);
            if (descriptor < 0) {
                throw refused(path, -descriptor);
            }
            try {
                FileStatus status = FileStatus.of(callState, descriptor, path.toString());
                return of(path, status, caching, auto, callState, descriptor);
            } catch (Throwable t) { // Allowed: no descriptor is left open
                LibC.close(callState, descriptor);
                throw t;
            }
        }
    }

    /**
     * Creates the file of a descriptor that was opened for buffered reads. The caller closes the
     * descriptor if this throws.
     */
    private static DescriptorFile of(
            Path path,
            FileStatus status,
            Caching caching,
            AutoCaching auto,
            MemorySegment callState,
            int descriptor)
            throws IOException {
        if (!status.isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        // O_NONBLOCK is for open(2) only: with it, some file systems refuse reads that would wait.
        LibC.fcntl(callState, descriptor, LibC.F_SETFL, 0);
        FileVersion version = version(status);
        Caching wanted =
                caching == Caching.AUTO ? auto.choose(version, callState, descriptor) : caching;
        Caching chosen = possible(wanted, status.directAlignment());
        // O_DIRECT is set on the open descriptor, because a second open could find another file.
        if (chosen == Caching.DIRECT
                && LibC.fcntl(callState, descriptor, LibC.F_SETFL, LibC.O_DIRECT) < 0) {
            chosen = Caching.BUFFERED;
        }
        if (chosen != Caching.DIRECT) {
            // Readahead is off: with many reads in flight it only reads bytes that were not
            // requested.
            LibC.posix_fadvise(callState, descriptor, 0, 0, LibC.POSIX_FADV_RANDOM);
        }
        int known = status.directAlignment();
        int alignment = chosen != Caching.DIRECT ? 1 : known > 0 ? known : ALIGNMENT_MAX;
        return new DescriptorFile(path, version, status.owner(), chosen, alignment, descriptor);
    }

    private static Caching possible(Caching wanted, int directAlignment) {
        boolean aligns = directAlignment != 0 && directAlignment <= FileHandle.ALIGNMENT_MAX;
        return wanted != Caching.DIRECT || aligns ? wanted : Caching.BUFFERED;
    }

    int descriptor() {
        return descriptor;
    }

    long readNow(long offset, List<MemorySegment> pieces) {
        try (Arena arena = Arena.ofConfined()) {
            int count = pieces.size();
            MemorySegment vectors = arena.allocate(IoVector.LAYOUT, count);
            for (int i = 0; i < count; i++) {
                IoVector.set(vectors, i, pieces.get(i));
            }
            MemorySegment kept = pieces.getFirst(); // Keeps the memory of all pieces alive.
            MemorySegment callState = LibC.newCallState(arena);
            return LibC.preadv2(
                    callState, descriptor, vectors, count, offset, LibC.RWF_NOWAIT, kept);
        }
    }

    /**
     * {@return the whole file, mapped until the file is closed; null if it must not be mapped, or
     * not yet}
     *
     * <p>A file is mapped after it was read once or twice, because then it is likely to be read
     * again. Parts stored without a codec are requested once more before they are read.
     *
     * @param bytes requested now
     * @param rule says when the file is mapped
     */
    FileMapping mapping(long bytes, MappingRule rule) {
        if (isMappingKnown) {
            return mapping;
        }
        return rule.isDue(bytesAsked.addAndGet(bytes), byteSize()) ? map() : null;
    }

    boolean isMapped() {
        return mapping != null;
    }

    private FileMapping map() {
        mappingLock.lock();
        try {
            if (!isMappingKnown && mayBeMapped()) {
                opened = FileMapping.tryOpen(descriptor, byteSize()).orElse(null);
                mapping = opened;
            }
        } finally {
            isMappingKnown = true;
            mappingLock.unlock();
        }
        return mapping;
    }

    /**
     * Checks that mincore(2) tells the truth: for other users' files the kernel does not report
     * which pages are in memory.
     */
    boolean mayBeMapped() {
        boolean isOurs = owner == LibC.geteuid() || Files.isWritable(path());
        return isOurs && caching() == Caching.BUFFERED && byteSize() > 0;
    }

    /**
     * Stops using the mapping, because the file has changed since it was opened or its device
     * fails. From now on the file is read.
     */
    void distrustMapping() {
        mapping = null;
    }

    @Override
    void closeFile() {
        try {
            if (opened != null) { // No other thread holds this file any more.
                opened.close();
            }
        } finally {
            LibC.close(descriptor);
        }
    }

    static FileVersion version(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return version(FileStatus.ofPath(LibC.newCallState(arena), path));
        } catch (ErrnoException e) {
            throw refused(path, e.errno());
        }
    }

    private static FileVersion version(FileStatus status) {
        String identity = status.deviceMajor() + ":" + status.deviceMinor() + ":" + status.inode();
        return new FileVersion(
                identity, status.byteSize(), status.modifiedSeconds(), status.modifiedNanos());
    }

    static IOException refused(Path path, int errno) {
        return switch (errno) {
            case Errno.ENOENT -> new NoSuchFileException(path.toString());
            case Errno.ENOTDIR -> new FileSystemException(path.toString(), null, BELOW_A_FILE);
            case Errno.EACCES ->
                    new AccessDeniedException(path.toString(), null, "open: EACCES (errno 13)");
            default -> new ErrnoException("open", path.toString(), -errno);
        };
    }
}
