package io.zarrengine.zarr.diskcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bound of a cache whose folder has more files than are looked at while it opens. */
@Timeout(60)
final class CacheSpaceTest {
    private static final int FILES = 2500;
    private static final int FILE_BYTES = 4096;
    private static final long BOUND = FILES * (long) FILE_BYTES / 2;

    @TempDir private Path root;

    private CacheSpace opened() throws IOException {
        CacheSpace space = new CacheSpace(root, BOUND, () -> {});
        space.open();
        return space;
    }

    private void fill(int files) throws IOException {
        Path folder = Files.createDirectories(root.resolve("ab"));
        for (int i = 0; i < files; i++) {
            Files.write(folder.resolve("file" + i), new byte[FILE_BYTES]);
        }
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("ab"))) {
            return files.count() * FILE_BYTES;
        }
    }

    private static void awaitRoom(CacheSpace space) throws InterruptedException {
        while (!space.hasRoom(1)) {
            Thread.sleep(1);
        }
    }

    /** Fault: processes that end before a look at all files ends write without a bound. */
    @Test
    void hasNoRoomBeforeTheSizeIsKnown() throws Exception {
        fill(FILES);
        for (int i = 0; i < 20; i++) {
            try (CacheSpace space = opened()) {
                assertTrue(bytes() <= BOUND || !space.hasRoom(1));
            }
        }
        try (CacheSpace space = opened()) {
            awaitRoom(space);
        }
        assertTrue(bytes() <= BOUND && bytes() > BOUND / 2, () -> "not as bounded");
    }

    /** Fault: files that are few are not measured, so that the first reads are not kept. */
    @Test
    void aSmallCacheHasRoomAtOnce() throws IOException {
        fill(10);
        try (CacheSpace space = opened()) {
            assertEquals(10 * FILE_BYTES, space.used());
            assertTrue(space.hasRoom(1));
            assertFalse(space.hasRoom(BOUND));
        }
    }

    /** Fault: while another one removes files, this one does too, or never does. */
    @Test
    void removesWhenNoOtherDoes() throws Exception {
        fill(FILES);
        try (CacheSpace space = opened()) {
            try (FileChannel file = CacheSpace.openLock(root);
                    var _ = file.lock()) {
                for (int i = 0; i < 100; i++) {
                    assertFalse(space.hasRoom(1));
                    Thread.sleep(1);
                }
                assertEquals(FILES * (long) FILE_BYTES, bytes());
            }
            awaitRoom(space);
        }
    }
}
