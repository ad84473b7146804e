package io.zarrengine.uring;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Implements {@link Caching#AUTO} for the files of one backend. Threads: any. */
final class AutoCaching {
    private final RecentFiles recent = new RecentFiles();
    private final CacheMemory memory;

    AutoCaching() {
        this(new CacheMemory(Path.of("/")));
    }

    AutoCaching(CacheMemory memory) {
        this.memory = memory;
    }

    /** {@return the memory that the page cache may take, in bytes} */
    long cacheBytes() {
        return memory.bytes();
    }

    Caching choose(FileVersion file, MemorySegment callState, int descriptor) {
        boolean fits = recent.opened(file, System.nanoTime()) <= memory.bytes() / 2;
        boolean buffered =
                fits || PageCache.residentFraction(callState, descriptor, file.byteSize()) >= 0.5;
        return buffered ? Caching.BUFFERED : Caching.DIRECT;
    }
}
