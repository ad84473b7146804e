package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the content of the page cache after reads. */
final class PageCacheTest {
    private static final int FILE_BYTES = 4 << 20;

    private static final int READ_BYTES = 64 << 10;

    /** A sample of 64 KiB is taken at each multiple of this. */
    private static final int SAMPLED_EACH_BYTES = FILE_BYTES / 16;

    @TempDir Path folder;

    private Path writeToTheDevice() throws IOException {
        Path path = folder.resolve("file");
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES));
            channel.force(true); // Dirty pages cannot be evicted.
        }
        return path;
    }

    /** Cold reads load the pages of their range and none after it, even if they are sequential. */
    @Test
    void pagesBehindARangeStayOnTheDevice() throws Exception {
        assumeTrue(NativeAccess.denial().isEmpty(), "native access is denied");
        try (Arena arena = Arena.ofConfined();
                PreadvReader reader = new PreadvReader()) {
            MemorySegment callState = LibC.newCallState(arena);
            DescriptorFile file = DescriptorFile.open(writeToTheDevice(), Caching.BUFFERED);
            ReadFiles.evict(file);
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
                ReadFiles.evict((DescriptorFile) file);
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

    /** A file system in memory refuses the flag, because its bytes have no other place. */
    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"IO_URING", "PREADV"})
    void aFileThatCannotLeaveThePageCacheIsReadAllTheSame(Method method) throws Exception {
        ReadBackend.unavailabilityCause(method).ifPresent(cause -> assumeTrue(false, cause));
        Path inMemory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(inMemory), "there is no /dev/shm");
        byte[] content = new byte[READ_BYTES];
        new SplittableRandom(1).nextBytes(content);
        Path path = Files.createTempFile(inMemory, "zarr-engine-", ".test");
        try (ReadQueueContract.Fixture fixture =
                new ReadQueueContract.Fixture(ReadBackend.of(method), READ_BYTES)) {
            FileHandle file =
                    fixture.backend.open(Files.write(path, content), Caching.BUFFERED_ONCE);
            int number = fixture.queue.attach(file);
            long[] results = new long[1];
            fixture.queue.read(number, 0, fixture.memory, 0, READ_BYTES, 0);
            fixture.finish(results);
            assertEquals(READ_BYTES, results[0]);
            assertArrayEquals(content, fixture.memory.toArray(JAVA_BYTE));
            fixture.queue.detach(number);
            file.release();
        } finally {
            Files.delete(path);
        }
    }

    /** Files of 4 MiB, with varying memory for the page cache, and cached or not. */
    @ParameterizedTest(name = "{0} KiB of memory, in the page cache: {1}, after another: {2}")
    @CsvSource({
        "8192, false, false, BUFFERED",
        "8191, false, false, DIRECT",
        "8191, true, false, BUFFERED",
        "8192, false, true, DIRECT",
        "16384, false, true, BUFFERED",
    })
    void whatTheCacheDoesNotHoldIsReadDirectly(
            long kibibytes, boolean cached, boolean second, Caching expected) throws Exception {
        Path path = writeToTheDevice();
        ReadFiles.direct(path).release(); // Only where there are direct reads.
        Files.createDirectories(folder.resolve("proc"));
        Files.writeString(folder.resolve("proc/meminfo"), "MemAvailable: " + kibibytes + " kB\n");
        AutoCaching auto = new AutoCaching(new CacheMemory(folder));
        if (second) {
            Path other = Files.copy(path, folder.resolve("other"));
            DescriptorFile.open(other, Caching.AUTO, auto).release();
        }
        DescriptorFile before = DescriptorFile.open(path, Caching.BUFFERED);
        ReadFiles.evict(before);
        before.release();
        if (cached) {
            Files.readAllBytes(path);
        }
        DescriptorFile file = DescriptorFile.open(path, Caching.AUTO, auto);
        assertEquals(expected, file.caching());
        file.release();
    }

    private static double resident(MemorySegment callState, DescriptorFile file) {
        return PageCache.residentFraction(callState, file.descriptor(), FILE_BYTES);
    }
}
