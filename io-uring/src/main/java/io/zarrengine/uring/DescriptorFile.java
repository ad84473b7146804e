package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.FileStatus;
import io.zarrengine.bindings.LibC;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file opened with open(2): what a ring and preadv read. */
final class DescriptorFile extends FileHandle {
    /** What ENOTDIR says. */
    static final String BELOW_A_FILE = "lies below a file that is no folder";

    private final int descriptor;

    private DescriptorFile(Path path, FileVersion version, int descriptor) {
        super(path, version);
        this.descriptor = descriptor;
    }

    static DescriptorFile open(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            int descriptor =
                    LibC.open(
                            callState,
                            arena.allocateFrom(path.toString()),
                            LibC.O_RDONLY_CLOEXEC | LibC.O_NONBLOCK);
            if (descriptor < 0) {
                throw refused(path, -descriptor);
            }
            try {
                return new DescriptorFile(path, version(callState, path, descriptor), descriptor);
            } catch (IOException e) {
                LibC.close(callState, descriptor);
                throw e;
            }
        }
    }

    int descriptor() {
        return descriptor;
    }

    @Override
    void closeFile() {
        try (Arena arena = Arena.ofConfined()) {
            // The descriptor is gone whatever close(2) says, and nothing was written.
            LibC.close(LibC.newCallState(arena), descriptor);
        }
    }

    private static FileVersion version(MemorySegment callState, Path path, int descriptor)
            throws IOException {
        FileStatus status = FileStatus.of(callState, descriptor, path.toString());
        if (!status.isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        // It was for opening alone: some file systems then refuse reads that would wait.
        LibC.fcntl(callState, descriptor, LibC.F_SETFL, 0);
        String identity = status.deviceMajor() + ":" + status.deviceMinor() + ":" + status.inode();
        return new FileVersion(
                identity, status.byteSize(), status.modifiedSeconds(), status.modifiedNanos());
    }

    private static IOException refused(Path path, int errno) {
        return switch (errno) {
            case Errno.ENOENT -> new NoSuchFileException(path.toString());
            case Errno.ENOTDIR -> new FileSystemException(path.toString(), null, BELOW_A_FILE);
            case Errno.EACCES ->
                    new AccessDeniedException(path.toString(), null, "open: EACCES (errno 13)");
            default -> new ErrnoException("open", path.toString(), -errno);
        };
    }
}
