package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.LibC;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A chunk of 22 MB that is one run of bytes in its file and in the target. Fails if its parts are
 * read twice, go to the wrong place, or are read although they are in memory.
 */
final class LargeRawChunkReadTest {
    private static final int ROWS = 2700;
    private static final int ROW_BYTES = 8191;
    private static final long SEED = 11;

    @TempDir private Path folder;
    private final byte[] stored = new byte[ROWS * ROW_BYTES];
    private final AtomicInteger queued = new AtomicInteger(); // count of reads
    private ZarrEngine engine;
    private Path file;
    private ZarrArray array;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING).isEmpty());
        engine = WatchedReads.openCounting(queued);
        Path path = folder.resolve("array");
        engine.createArray(
                path,
                ArrayMetadata.builder(NumericType.UINT8, ROWS, ROW_BYTES)
                        .chunkShape(ROWS, ROW_BYTES)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build());
        new Random(SEED).nextBytes(stored);
        file = Files.createDirectories(path.resolve("c/0")).resolve("0");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(stored));
            channel.force(true); // Only clean pages can leave the page cache.
        }
        array = engine.openArray(path);
        for (int i = 0; i < 12; i++) { // enough requested bytes for the file to be mapped
            array.read(Selection.of("0:600, ::2")).close();
        }
        queued.set(0);
    }

    @AfterEach
    void close() {
        if (array != null) {
            array.close();
        }
        if (engine != null) {
            engine.close();
        }
    }

    private void assertReads(int fromRow, int toRow) {
        try (Arena arena = Arena.ofShared()) {
            int bytes = (toRow - fromRow) * ROW_BYTES;
            GuardedMemory target = new GuardedMemory(arena, bytes);
            array.readAsync(Selection.of(fromRow + ":" + toRow), target.segment()).join();
            MemorySegment expected =
                    MemorySegment.ofArray(stored).asSlice((long) fromRow * ROW_BYTES, bytes);
            assertEquals(-1, expected.mismatch(target.segment()));
            target.assertIntact();
        }
    }

    @ParameterizedTest(name = "rows {0} to {1}")
    @CsvSource({"0, 2700", "1, 2700", "600, 2649"})
    void copiesFromThePageCache(int fromRow, int toRow) throws IOException {
        EngineMetrics before;
        EngineMetrics after;
        int tries = 0;
        do { // The kernel may need the memory for other pages just then.
            load();
            queued.set(0);
            before = engine.metrics();
            assertReads(fromRow, toRow);
            after = engine.metrics();
        } while (queued.get() > 0 && ++tries < 10);
        assertEquals(0, queued.get(), "all of it was in memory");
        assertEquals((long) (toRow - fromRow) * ROW_BYTES, after.bytesRead() - before.bytesRead());
        assertEquals(1, after.chunksDecoded() - before.chunksDecoded());
    }

    @Test
    void readsWhatIsNotInMemory() throws Exception {
        assumeFalse(Files.getFileStore(file).type().equals("tmpfs"), "keeps files in memory");
        int tries = 0;
        do { // The kernel may read ahead, and have the pages back before the read.
            assumeTrue(evicts(10 << 20, 2 << 20), "what somebody else looks at stays in memory");
            queued.set(0);
            assertReads(0, ROWS);
        } while (queued.get() == 0 && ++tries < 10);
        assertTrue(queued.get() > 0, "it was copied as if all of it were there");
        load();
        queued.set(0);
        assertReads(0, ROWS);
        assertEquals(0, queued.get(), "it is there again");
    }

    private void load() throws IOException {
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, stored.length, arena).load();
        }
    }

    /** Evicts the pages, repeatedly: a page that the kernel holds for a moment does not leave. */
    private boolean evicts(long from, long bytes) throws Exception {
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            MemorySegment part = channel.map(FileChannel.MapMode.READ_ONLY, from, bytes, arena);
            for (int i = 0; i < 50 && part.isLoaded(); i++) {
                evict(from, bytes);
                Thread.sleep(20);
            }
            return !part.isLoaded();
        }
    }

    private void evict(long from, long bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            MemorySegment path = arena.allocateFrom(file.toString());
            int descriptor = LibC.open(callState, path, LibC.O_RDONLY_CLOEXEC);
            LibC.posix_fadvise(callState, descriptor, from, bytes, LibC.POSIX_FADV_DONTNEED);
            LibC.close(callState, descriptor);
        }
    }

    @Test
    void namesATruncatedFile() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(15_000_001);
        }
        var failure =
                assertThrows(
                        CompletionException.class, () -> array.readAsync(Selection.all()).join());
        var cause = assertInstanceOf(CorruptChunkException.class, failure.getCause());
        assertTrue(cause.getMessage().contains(file.toString()), cause::getMessage);
    }

    @Test
    void failsOnlyTheReadWhoseTargetIsClosed() {
        int failed = 0;
        for (int i = 0; i < 100 && failed < 3; i++) {
            Arena arena = Arena.ofShared();
            var read = array.readAsync(Selection.all(), arena.allocate(stored.length));
            NativeUse.closeArenaAfter(arena);
            try {
                read.join();
            } catch (CompletionException e) {
                assertEquals(IllegalStateException.class, e.getCause().getClass());
                failed++;
            }
        }
        assertTrue(failed > 0, "no target was closed in time");
        assertReads(0, ROWS);
    }

    /** Slabs that no worker has taken fail when the engine closes. */
    @Test
    void endsEveryReadWhenTheEngineCloses() {
        List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            reads.add(array.readAsync(Selection.all()));
        }
        engine.close();
        int closed = 0;
        for (CompletableFuture<HostTensor> read : reads) {
            try (HostTensor tensor = read.join()) {
                assertEquals(-1, MemorySegment.ofArray(stored).mismatch(tensor.segment()));
            } catch (CompletionException e) {
                assertEquals(ClosedException.class, e.getCause().getClass());
                closed++;
            }
        }
        assertTrue(closed > 0, "no read was under way");
    }

    /** Every column but the last, so that the target is not one run of the chunk. */
    @Test
    void readsRowsWithGaps() {
        try (HostTensor tensor = array.read(Selection.of(":, :8190"))) {
            byte[] read = tensor.segment().toArray(JAVA_BYTE);
            for (int row = 0; row < ROWS; row++) {
                MemorySegment expected =
                        MemorySegment.ofArray(stored).asSlice((long) row * ROW_BYTES, 8190);
                MemorySegment there = MemorySegment.ofArray(read).asSlice(row * 8190L, 8190);
                assertEquals(-1, expected.mismatch(there), "row " + row);
            }
        }
    }
}
