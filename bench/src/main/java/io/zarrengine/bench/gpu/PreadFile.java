package io.zarrengine.bench.gpu;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativePath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that threads read with preadv(2). Owner: its opener, until the last reader is closed.
 *
 * @param path of the file
 * @param descriptor its file descriptor
 */
record PreadFile(Path path, int descriptor) implements AutoCloseable {
    /** Opens a file. {@code isDirect} means around the page cache. */
    static PreadFile open(Path path, boolean isDirect) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int flags = LibC.O_RDONLY_CLOEXEC | (isDirect ? LibC.O_DIRECT : 0);
            MemorySegment name = NativePath.of(arena, path);
            int descriptor = LibC.open(LibC.newCallState(arena), name, flags);
            if (descriptor < 0) {
                throw new ErrnoException("open", path + (isDirect ? ", O_DIRECT" : ""), descriptor);
            }
            return new PreadFile(path, descriptor);
        }
    }

    /** The memory with which a thread reads files. Owner: the thread that created it. */
    static final class Reader implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment callState = LibC.newCallState(arena);
        private final MemorySegment vector = arena.allocate(IoVector.LAYOUT);

        /** Returns the number of bytes read: fewer than the target has at the end of the file. */
        long read(PreadFile file, MemorySegment target, long offset) throws IOException {
            IoVector.set(vector, 0, target);
            long bytes = LibC.preadv(callState, file.descriptor, vector, 1, offset);
            if (bytes < 0) {
                throw new ErrnoException("preadv", file.path + " at " + offset, bytes);
            }
            return bytes;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Override
    public void close() {
        LibC.close(descriptor);
    }
}
