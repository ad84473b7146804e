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

/** A file opened with open(2): what a ring and preadv read. */
final class DescriptorFile extends FileHandle {
    /** What ENOTDIR says. */
    static final String BELOW_A_FILE = "lies below a file that is no folder";

    private final int descriptor;
    private final int owner; // user id
    private final AtomicLong bytesAsked = new AtomicLong(); // of a mapping, until there is one
    private final ReentrantLock mappingLock = new ReentrantLock(); // guards the next one
    private FileMapping opened; // null: there is none
    private volatile FileMapping mapping; // null: not to be used
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

    /** Of a descriptor that was opened for buffered reads; a caller closes it if this throws. */
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
        // O_NONBLOCK was for opening alone: some file systems then refuse reads that would wait.
        LibC.fcntl(callState, descriptor, LibC.F_SETFL, 0);
        FileVersion version = version(status);
        Caching wanted =
                caching == Caching.AUTO ? auto.choose(version, callState, descriptor) : caching;
        Caching chosen = possible(wanted, status.directAlignment());
        // O_DIRECT is set on the open file: opened a second time, it could be another one.
        if (chosen == Caching.DIRECT
                && LibC.fcntl(callState, descriptor, LibC.F_SETFL, LibC.O_DIRECT) < 0) {
            chosen = Caching.BUFFERED;
        }
        if (chosen != Caching.DIRECT) {
            // No readahead: with many reads in flight it only brings bytes that nobody asked for.
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
            MemorySegment kept = pieces.getFirst(); // With it, all pieces of the same memory.
            MemorySegment callState = LibC.newCallState(arena);
            return LibC.preadv2(
                    callState, descriptor, vectors, count, offset, LibC.RWF_NOWAIT, kept);
        }
    }

    /**
     * {@return all of it, mapped, until it is closed; null if it is not to be mapped, or not yet}
     *
     * <p>When it is mapped it was read once or twice, as what is stored as it is is asked for once
     * more before it is read, and will be read again.
     *
     * @param bytes asked for now
     * @param rule says when it is mapped
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

    /** Of other files the kernel does not say what is in memory: see mincore(2). */
    boolean mayBeMapped() {
        boolean isOurs = owner == LibC.geteuid() || Files.isWritable(path());
        return isOurs && caching() == Caching.BUFFERED && byteSize() > 0;
    }

    /** It is not what it was when it was opened, or its device fails: from now on it is read. */
    void distrustMapping() {
        mapping = null;
    }

    @Override
    void closeFile() {
        try {
            if (opened != null) { // Nobody else holds this file any more.
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
