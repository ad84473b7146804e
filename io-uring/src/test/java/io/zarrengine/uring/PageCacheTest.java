package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.uring.ReadBackend.Method;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What reads leave in the page cache. */
final class PageCacheTest {
    private static final int FILE_BYTES = 4 << 20;

    private static final int READ_BYTES = 64 << 10;

    /** What is looked at is 64 KiB at each multiple of this. */
    private static final int SAMPLED_EACH_BYTES = FILE_BYTES / 16;

    @TempDir Path folder;

    private Path writeToTheDevice() throws IOException {
        Path path = folder.resolve("file");
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES));
            channel.force(true); // What is not written yet cannot be evicted.
        }
        return path;
    }

    /** Cold reads bring the pages that they ask for and none behind, even one after the other. */
    @Test
    void pagesBehindARangeStayOnTheDevice() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        try (Arena arena = Arena.ofConfined();
                PreadvReader reader = new PreadvReader()) {
            MemorySegment callState = LibC.newCallState(arena);
            DescriptorFile file = DescriptorFile.open(writeToTheDevice(), Caching.BUFFERED);
            evict(callState, file);
            MemorySegment target = arena.allocate(READ_BYTES);
            for (long offset = 0; offset < SAMPLED_EACH_BYTES; offset += READ_BYTES) {
                assertEquals(READ_BYTES, reader.read(file, offset, target, 0, READ_BYTES));
            }
            assumeTrue(resident(callState, file) > 0, "cachestat is not there");
            assertEquals(1 / 16.0, resident(callState, file), "what was read, and more");
            file.release();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"IO_URING", "PREADV"})
    void whatIsReadOnceLeavesThePageCache(Method method) throws Exception {
        ReadBackend.unavailabilityCause(method).ifPresent(cause -> assumeTrue(false, cause));
        Path path = writeToTheDevice();
        try (ReadQueueContract.Fixture fixture =
                new ReadQueueContract.Fixture(ReadBackend.of(method), READ_BYTES)) {
            MemorySegment callState = LibC.newCallState(fixture.arena);
            for (Caching caching : List.of(Caching.BUFFERED, Caching.BUFFERED_ONCE)) {
                FileHandle file = fixture.backend.open(path, caching);
                evict(callState, (DescriptorFile) file);
                int number = fixture.queue.attach(file);
                fixture.queue.read(number, 0, fixture.memory, 0, READ_BYTES, 0);
                fixture.finish(new long[1]);
                double resident = resident(callState, (DescriptorFile) file);
                if (caching == Caching.BUFFERED) {
                    assumeTrue(resident > 0, "cachestat is not there");
                } else {
                    assumeTrue(file.dropsBehind(), "RWF_DONTCACHE is not there");
                    assertEquals(0, resident);
                }
                fixture.queue.detach(number);
                file.release();
            }
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
