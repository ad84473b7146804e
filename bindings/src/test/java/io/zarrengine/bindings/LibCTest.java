package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsNativeAccess
final class LibCTest {
    @TempDir Path folder;

    private Arena arena;
    private MemorySegment callState;

    @BeforeEach
    void allocate() {
        arena = Arena.ofConfined();
        callState = LibC.newCallState(arena);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void preadvScattersOneRangeIntoTwoTargets() throws Exception {
        int fd = open(file("file", 100));
        MemorySegment first = arena.allocate(10);
        MemorySegment second = arena.allocate(20);
        MemorySegment vectors = arena.allocate(IoVector.LAYOUT, 2);
        IoVector.set(vectors, 0, first);
        IoVector.set(vectors, 1, second);

        assertEquals(30, LibC.preadv(callState, fd, vectors, 2, 7));
        assertArrayEquals(bytes(7, 17), first.toArray(JAVA_BYTE));
        assertArrayEquals(bytes(17, 37), second.toArray(JAVA_BYTE));
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void preadvIsShortAtTheEndAndZeroBehindIt() throws Exception {
        int fd = open(file("file", 100));
        MemorySegment vectors = arena.allocate(IoVector.LAYOUT);
        IoVector.set(vectors, 0, arena.allocate(64));

        assertEquals(36, LibC.preadv(callState, fd, vectors, 1, 64));
        assertEquals(0, LibC.preadv(callState, fd, vectors, 1, 100));
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void statusIsThatOfTheFile() throws Exception {
        Path path = file("file", 1234);
        Instant modified = Instant.parse("2024-02-29T12:34:56.789012345Z");
        Files.setLastModifiedTime(path, FileTime.from(modified));
        int fd = open(path);

        FileStatus status = FileStatus.of(callState, fd, path.toString());

        assertEquals(1234, status.byteSize());
        assertTrue(status.isRegularFile());
        assertEquals(Files.getAttribute(path, "unix:ino"), status.inode());
        assertEquals(modified.getEpochSecond(), status.modifiedSeconds());
        assertEquals(modified.getNano(), status.modifiedNanos());
        assertEquals(0, LibC.close(callState, fd));
    }

    /** Checks that the alignment for O_DIRECT is unknown, impossible, or a power of two. */
    @Test
    void theAlignmentOfDirectReadsIsAPowerOfTwo() throws Exception {
        int fd = open(file("file", 100));
        int alignment = FileStatus.of(callState, fd, "file").directAlignment();
        assertTrue(alignment <= 0 || Integer.bitCount(alignment) == 1, "alignment " + alignment);
        assertTrue(alignment >= -1 && alignment <= 1 << 16, "alignment " + alignment);
        if (alignment > 0) {
            assertEquals(0, LibC.fcntl(callState, fd, LibC.F_SETFL, LibC.O_DIRECT));
            MemorySegment target = arena.allocate(alignment, alignment);
            MemorySegment vectors = arena.allocate(IoVector.LAYOUT);
            IoVector.set(vectors, 0, target);
            assertEquals(100, LibC.preadv(callState, fd, vectors, 1, 0));
            assertArrayEquals(bytes(0, 100), target.asSlice(0, 100).toArray(JAVA_BYTE));
        }
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void whatWasJustWrittenIsInThePageCache() throws Exception {
        int fd = open(file("file", 10_000));
        MemorySegment range = arena.allocate(16, 8);
        range.set(java.lang.foreign.ValueLayout.JAVA_LONG, 8, 10_000L);
        MemorySegment counts = arena.allocate(40, 8);
        int result = LibC.cachestat(callState, fd, range, counts);
        assertTrue(result == 0 || result == -Errno.ENOSYS || result == -Errno.EPERM);
        if (result == 0) {
            assertEquals(3, counts.get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
        }
        assertEquals(0, LibC.posix_fadvise(callState, fd, 0, 0, LibC.POSIX_FADV_RANDOM));
        assertEquals(-Errno.EINVAL, LibC.posix_fadvise(callState, fd, 0, 0, 77));
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void preadvWithFlagsReadsWhatIsInThePageCache() throws Exception {
        int fd = open(file("file", 100));
        MemorySegment target = arena.allocate(64);
        MemorySegment vectors = arena.allocate(IoVector.LAYOUT);
        IoVector.set(vectors, 0, target);
        long read = LibC.preadv2(callState, fd, vectors, 1, 50, LibC.RWF_NOWAIT);
        assertTrue(read == 50 || read == -Errno.EOPNOTSUPP || read == -Errno.EAGAIN, "" + read);
        assertEquals(-Errno.EOPNOTSUPP, LibC.preadv2(callState, fd, vectors, 1, 0, 1 << 30));
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void preadvToMemoryThatMayBeFreedRefusesWhatWasFreed() throws Exception {
        int fd = open(file("file", 100));
        MemorySegment vectors = arena.allocate(IoVector.LAYOUT);
        MemorySegment freed;
        try (Arena other = Arena.ofShared()) {
            freed = other.allocate(64);
            IoVector.set(vectors, 0, freed);
            assertEquals(64, LibC.preadv2(callState, fd, vectors, 1, 20, 0, freed));
            MemorySegment expected = arena.allocate(64);
            IoVector.set(vectors, 0, expected);
            assertEquals(64, LibC.preadv2(callState, fd, vectors, 1, 20, 0));
            assertEquals(-1, expected.mismatch(freed));
        }
        assertThrows(
                IllegalStateException.class,
                () -> LibC.preadv2(callState, fd, vectors, 1, 20, 0, freed));
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void aFolderIsNoRegularFile() throws Exception {
        int fd = open(folder);
        assertFalse(FileStatus.of(callState, fd, "folder").isRegularFile());
        assertEquals(0, LibC.close(callState, fd));
    }

    @Test
    void failuresAreNegatedErrnos() {
        MemorySegment missing = arena.allocateFrom(folder.resolve("missing").toString());
        MemorySegment vectors = arena.allocate(IoVector.LAYOUT);

        assertEquals(-Errno.ENOENT, LibC.open(callState, missing, LibC.O_RDONLY_CLOEXEC));
        assertEquals(-Errno.EBADF, LibC.preadv(callState, -1, vectors, 1, 0));
        assertEquals(-Errno.EBADF, LibC.close(callState, -1));
        ErrnoException e =
                assertThrows(ErrnoException.class, () -> FileStatus.of(callState, -1, "nothing"));
        assertEquals("statx(nothing): EBADF (errno 9)", e.getMessage());
    }

    @Test
    void eventfdCountsWhatIsWritten() {
        int fd = LibC.eventfd(callState, LibC.EFD_CLOEXEC);
        assertTrue(fd >= 0);
        MemorySegment one = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_LONG, 1L);
        assertEquals(8, LibC.write(callState, fd, one));
        assertEquals(0, LibC.close(callState, fd));
    }

    private int open(Path path) {
        int fd = LibC.open(callState, arena.allocateFrom(path.toString()), LibC.O_RDONLY_CLOEXEC);
        assertTrue(fd >= 0, () -> "open: " + Errno.name(-fd));
        return fd;
    }

    private Path file(String name, int size) throws Exception {
        return Files.write(folder.resolve(name), bytes(0, size));
    }

    private static byte[] bytes(int from, int to) {
        byte[] bytes = new byte[to];
        for (int i = 0; i < to; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return Arrays.copyOfRange(bytes, from, to);
    }
}
