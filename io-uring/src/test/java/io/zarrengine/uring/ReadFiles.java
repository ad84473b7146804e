package io.zarrengine.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeAccess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Opens files in one way, or skips the test where that way is missing. */
final class ReadFiles {
    private ReadFiles() {}

    static FileHandle direct(Path path) throws IOException {
        return open(path, Caching.DIRECT);
    }

    static FileHandle bufferedOnce(Path path) throws IOException {
        return open(path, Caching.BUFFERED_ONCE);
    }

    /** Evicts a file from the page cache, or skips the test where that cannot be checked. */
    static void evict(DescriptorFile file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            int descriptor = file.descriptor();
            LibC.posix_fadvise(callState, descriptor, 0, 0, LibC.POSIX_FADV_DONTNEED);
            assumeTrue(
                    PageCache.residentFraction(callState, descriptor, file.byteSize()) == 0,
                    "this file system keeps files in memory");
        }
    }

    private static FileHandle open(Path path, Caching caching) throws IOException {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        FileHandle file = DescriptorFile.open(path, caching);
        assumeTrue(file.caching() == caching, caching + " is refused here");
        return file;
    }
}
