package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cold read brings the pages that it asks for, and none behind them. */
final class ReadaheadTest {
    private static final int FILE_BYTES = 4 << 20;

    /** What is looked at is 64 KiB at each multiple of this. */
    private static final int SAMPLED_EACH_BYTES = FILE_BYTES / 16;

    @TempDir Path folder;

    @Test
    void pagesBehindARangeStayOnTheDevice() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        Path path = folder.resolve("file");
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES));
            channel.force(true); // What is not written yet cannot be evicted.
        }
        try (Arena arena = Arena.ofConfined();
                PreadvReader reader = new PreadvReader()) {
            MemorySegment callState = LibC.newCallState(arena);
            DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
            evict(callState, file);
            int bytes = 64 << 10;
            long offset = SAMPLED_EACH_BYTES - (long) bytes;
            assertEquals(bytes, reader.read(file, offset, arena.allocate(bytes), 0, bytes));
            assertEquals(0, resident(callState, file), "a part of the file is in the page cache");

            reader.read(file, 0, arena.allocate(bytes), 0, bytes);
            assumeTrue(resident(callState, file) == 1 / 16.0, "cachestat is not there");
            file.release();
        }
    }

    private static void evict(MemorySegment callState, DescriptorFile file) {
        LibC.posix_fadvise(callState, file.descriptor(), 0, 0, LibC.POSIX_FADV_DONTNEED);
        assumeTrue(resident(callState, file) == 0, "this file system keeps files in memory");
    }

    private static double resident(MemorySegment callState, DescriptorFile file) {
        return PageCache.residentFraction(callState, file.descriptor(), FILE_BYTES);
    }
}
