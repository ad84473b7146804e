package io.zarrengine.uring.files;

import static io.zarrengine.uring.OpenFileHandles.isOpen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.OpenFileHandles;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class FileCacheTest {
    private static final Duration NEVER = Duration.ofDays(100_000);

    @TempDir Path folder;

    private final ReadBackend backend = ReadBackend.best();

    @AfterEach
    void closeBackend() {
        backend.close();
    }

    private Path write(String name, int bytes) throws IOException {
        return Files.write(folder.resolve(name), new byte[bytes]);
    }

    private FileCache cache(int filesMax, Duration recheckAfter) {
        return new FileCache(backend, Caching.BUFFERED, filesMax, recheckAfter);
    }

    @Test
    void aFileIsOpenedOnceAndClosedByTheLastWhoHoldsIt() throws Exception {
        Path path = write("file", 10);
        FileHandle first;
        try (FileCache cache = cache(2, NEVER)) {
            first = cache.open(path);
            FileHandle second = cache.open(path);
            assertSame(first, second);
            second.release();
            assertEquals(new FileCacheCounters(1, 1, 0, 0, 0), cache.counters());
        }
        assertTrue(isOpen(first), "the reader's file was closed");
        first.release();
        assertTrue(!isOpen(first), "the file is leaked");
    }

    @Test
    void whatNobodyAskedForIsGivenUp() throws Exception {
        List<FileHandle> files = new ArrayList<>();
        try (FileCache cache = cache(2, NEVER)) {
            for (String name : List.of("a", "b", "a", "c")) {
                FileHandle file = cache.open(write(name, 1));
                files.add(file);
                file.release();
            }
            assertTrue(isOpen(files.get(0)), "a was asked for again");
            assertTrue(!isOpen(files.get(1)), "b was not");
            assertTrue(isOpen(files.get(3)));
        }
        assertTrue(files.stream().noneMatch(OpenFileHandles::isOpen), "leaked");
    }

    /**
     * Otherwise the new file would be opened for each read, as long as the others are always in
     * use.
     */
    @Test
    void aNewFileStaysAlsoIfAllOthersAreInUse() throws Exception {
        try (FileCache cache = cache(2, NEVER)) {
            for (String name : List.of("a", "b", "a", "b")) {
                cache.open(write(name, 1)).release();
            }
            FileHandle added = cache.open(write("c", 1));
            added.release();
            assertTrue(isOpen(added));
            assertEquals(2, cache.size());
        }
    }

    @Test
    void aFileThatWasReplacedIsOpenedAgain() throws Exception {
        Path path = write("file", 10);
        try (FileCache cache = cache(4, Duration.ZERO)) {
            FileHandle before = cache.open(path);
            Files.move(write("other", 20), path, StandardCopyOption.REPLACE_EXISTING);
            FileHandle after = cache.open(path);
            assertNotSame(before, after);
            assertNotEquals(before.version(), after.version());
            assertEquals(1, cache.counters().replacements());
            before.release();
            after.release();
            assertTrue(!isOpen(before), "the old version is leaked");

            Files.delete(path);
            assertThrows(NoSuchFileException.class, () -> cache.open(path));
            assertTrue(!isOpen(after), "the deleted file is leaked");
        }
    }

    @Test
    void aFileThatIsNotCheckedStaysTheOneThatWasOpened() throws Exception {
        Path path = write("file", 10);
        try (FileCache cache = cache(4, NEVER)) {
            FileHandle before = cache.open(path);
            Files.move(write("other", 20), path, StandardCopyOption.REPLACE_EXISTING);
            assertSame(before, cache.open(path));
            cache.forget(path);
            FileHandle after = cache.open(path);
            assertEquals(20, after.byteSize());
            after.release();
            before.release();
            before.release();
        }
    }

    @Test
    void aFailureIsNotRemembered() throws Exception {
        Path path = folder.resolve("file");
        try (FileCache cache = cache(4, NEVER)) {
            assertThrows(NoSuchFileException.class, () -> cache.open(path));
            write("file", 1);
            cache.open(path).release();
        }
    }

    /** Each file is opened once for any number of simultaneous requests. */
    @Test
    void manyWhoAskAtOnceGetOneFile() throws Exception {
        int readers = 32;
        CountDownLatch asked = new CountDownLatch(1);
        AtomicInteger opens = new AtomicInteger();
        Path path = write("file", 1);
        FileCache.Source slow =
                new FileCache.Source() {
                    @Override
                    public FileHandle open(Path wanted) throws IOException {
                        try {
                            asked.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        opens.incrementAndGet();
                        return backend.open(wanted);
                    }

                    @Override
                    public FileVersion version(Path wanted) throws IOException {
                        return backend.version(wanted);
                    }
                };
        try (FileCache cache = new FileCache(slow, 4, NEVER, new OpenFiles(100));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<FileHandle>> files = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                files.add(threads.submit(() -> cache.open(path)));
            }
            while (cache.counters().hits() < readers - 1) {
                Thread.onSpinWait();
            }
            asked.countDown();
            FileHandle first = files.getFirst().get();
            for (Future<FileHandle> file : files) {
                assertSame(first, file.get());
                first.release();
            }
            assertEquals(1, opens.get());
            assertTrue(isOpen(first));
        }
    }

    @Test
    void withoutDescriptorsTheCacheShrinksAndOpens() throws Exception {
        try (LimitedSource source = new LimitedSource(8);
                FileCache cache = new FileCache(source, 100, NEVER, new OpenFiles(100))) {
            for (int i = 0; i < 50; i++) {
                cache.open(write("file" + i, i)).release();
            }
            assertTrue(cache.size() <= 8, "still " + cache.size());
            assertTrue(cache.counters().shrinks() >= 1);
        }
    }

    @Test
    void withoutDescriptorsAndWithNothingToGiveUpTheFailureIsTheCallers() throws Exception {
        try (LimitedSource source = new LimitedSource(0);
                FileCache cache = new FileCache(source, 100, NEVER, new OpenFiles(100))) {
            Path path = write("file", 1);
            assertThrows(FileSystemException.class, () -> cache.open(path));
        }
    }

    /**
     * Opens, holds and replaces files at random. Every handle must be of its path, and none may
     * stay open.
     */
    @Test
    void nothingIsLeakedOrMixedUpUnderLoad() throws Exception {
        int paths = 12;
        for (int i = 0; i < paths; i++) {
            write("file" + i, i);
        }
        LimitedSource source = new LimitedSource(24);
        try (source;
                FileCache cache = new FileCache(source, 6, Duration.ZERO, new OpenFiles(100));
                var threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                SplittableRandom random = new SplittableRandom(t);
                done.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 2000; i++) {
                                int n = random.nextInt(paths);
                                FileHandle file = cache.open(folder.resolve("file" + n));
                                assertEquals(n, file.byteSize());
                                if (random.nextInt(50) == 0) {
                                    cache.forget(file.path());
                                }
                                file.release();
                            }
                            return null;
                        }));
            }
            for (Future<?> thread : done) {
                thread.get();
            }
        }
        assertEquals(0, source.openFiles(), "leaked");
    }

    @Test
    void aClosedCacheOpensNothing() throws Exception {
        FileCache cache = cache(1, NEVER);
        cache.close();
        Path path = write("file", 1);
        assertThrows(IllegalStateException.class, () -> cache.open(path));
    }
}
