package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promises of a read to its caller: the targets it accepts, the requests it refuses, the errors it
 * reports.
 */
@Timeout(60)
final class EngineReadTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @TempDir Path folder;

    private ZarrEngine engine;
    private SampleArray sample;
    private ZarrArray array;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 40, 30)
                        .chunkShape(20, 20)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {5, 10},
                                                CodecSpec.bytes(),
                                                CodecSpec.crc32c())))
                        .build();
        sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        array = engine.openArray(sample.path());
    }

    @AfterEach
    void close() {
        array.close();
        engine.close();
    }

    private byte[] expected(long... offsetAndShape) {
        int rank = offsetAndShape.length / 2;
        long[] offset = Arrays.copyOf(offsetAndShape, rank);
        long[] shape = Arrays.copyOfRange(offsetAndShape, rank, 2 * rank);
        return sample.expected(new BoxPositions(offset, shape, new long[] {1, 1}));
    }

    @Test
    void readsToAConfinedArena() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(10 * 12 * 2);
            array.read(Selection.of("3:13, 7:19"), target);
            assertArrayEquals(expected(3, 7, 10, 12), target.toArray(JAVA_BYTE));
        }
    }

    /** Another owner may have the memory by then. */
    @Test
    void refusesAClosedConfinedArena() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        Arena arena = Arena.ofConfined();
        MemorySegment target = arena.allocate(40 * 30 * 2);
        arena.close();
        List<Selection> list = List.of(Selection.all());
        assertThrows(IllegalStateException.class, () -> array.read(Selection.all(), target));
        assertThrows(IllegalStateException.class, () -> array.read(list, target));
    }

    @Test
    void namesAnArenaThatIsClosedDuringARead() {
        Arena arena = Arena.ofShared();
        MemorySegment target = arena.allocate(40 * 30 * 2);
        AtomicInteger reads = new AtomicInteger();
        WatchedReads.Watcher closing =
                _ -> {
                    if (reads.getAndIncrement() == 0) {
                        arena.close();
                    }
                };
        try (ZarrEngine watched =
                        ZarrEngine.builder()
                                .queues(queues -> WatchedReads.of(queues, closing))
                                .open();
                ZarrArray again = watched.openArray(sample.path())) {
            IllegalStateException e =
                    assertThrows(
                            IllegalStateException.class, () -> again.read(Selection.all(), target));
            assertEquals(
                    "the target's arena was closed before the read of "
                            + sample.path()
                            + " had ended",
                    e.getMessage());
        }
    }

    @Test
    void namesWhatIsClosed() {
        ZarrEngine other = ZarrEngine.open();
        ZarrArray ofOther = other.openArray(sample.path());
        ZarrArray closed = other.openArray(sample.path());
        closed.close();
        assertClosed(sample.path() + ": the array is closed", closed);
        other.close();
        assertClosed("the engine is closed", ofOther);
        ofOther.close();
    }

    private static void assertClosed(String message, ZarrArray closed) {
        ClosedException e =
                assertThrows(ClosedException.class, () -> closed.read(Selection.all()).close());
        assertEquals(message, e.getMessage());
    }

    @Test
    void readsToHeapMemoryOfAnyKind() {
        short[] elements = new short[10 * 12];
        array.read(Selection.of("3:13, 7:19"), MemorySegment.ofArray(elements));
        assertArrayEquals(
                expected(3, 7, 10, 12), MemorySegment.ofArray(elements).toArray(JAVA_BYTE));
    }

    @Test
    void readsFromVirtualThreads() throws Exception {
        byte[] expected = expected(3, 7, 10, 12);
        Throwable[] failure = {null};
        Thread reader =
                Thread.startVirtualThread(() -> {
                    try (HostTensor tensor = array.read(Selection.of("3:13, 7:19"))) {
                        assertArrayEquals(expected, tensor.segment().toArray(JAVA_BYTE));
                    } catch (RuntimeException | Error e) {
                        failure[0] = e;
                    }
                });
        reader.join();
        assertEquals(null, failure[0]);
    }

    @Test
    void refusesAnAsynchronousReadToAConfinedArena() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(40 * 30 * 2);
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> array.readAsync(Selection.all(), target));
            assertTrue(e.getMessage().contains("confined"), e::getMessage);
        }
    }

    @Test
    void refusesATargetThatIsTooSmallOrReadOnly() {
        byte[] small = new byte[40 * 30 * 2 - 1];
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> array.read(Selection.all(), MemorySegment.ofArray(small)));
        assertEquals("the target has 2399 bytes, the selection 2400", e.getMessage());
        assertArrayEquals(new byte[small.length], small);

        MemorySegment readOnly = MemorySegment.ofArray(new byte[2400]).asReadOnly();
        assertThrows(IllegalArgumentException.class, () -> array.read(Selection.all(), readOnly));
    }

    @Test
    void readsNothingForAnEmptySelection() {
        try (HostTensor tensor = array.read(Selection.of("5:5, :"))) {
            assertArrayEquals(new long[] {0, 30}, tensor.shape());
            assertEquals(0, tensor.segment().byteSize());
        }
    }

    @Test
    void completesAFutureOnAVirtualThread() {
        CompletableFuture<Boolean> virtual =
                array.readAsync(Selection.all(), MemorySegment.ofArray(new byte[2400]))
                        .thenApply(nothing -> Thread.currentThread().isVirtual());
        // A late caller runs it itself, so only a worker would be wrong.
        assertTrue(virtual.join() || Thread.currentThread().getName().startsWith("main"));
    }

    @Test
    void endsTheReadOfAnInterruptedCallerAndKeepsTheInterrupt() {
        byte[] target = new byte[2400];
        Thread.currentThread().interrupt();
        assertThrows(
                CancellationException.class,
                () -> array.read(Selection.all(), MemorySegment.ofArray(target)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void failsOnlyTheReadOfACorruptChunkAndNamesIt() throws Exception {
        Path file = sample.path().resolve("c/1/0");
        byte[] bytes = Files.readAllBytes(file);
        bytes[3] ^= 1; // in the first inner chunk that was written
        Files.write(file, bytes);

        CompletionException e =
                assertThrows(
                        CompletionException.class, () -> array.readAsync(Selection.all()).join());
        CorruptChunkException cause = assertInstanceOf(CorruptChunkException.class, e.getCause());
        assertTrue(
                cause.getMessage().matches(".*/c/1/0, inner chunk \\[\\d, \\d\\]: crc32c: .*"),
                cause::getMessage);
        try (HostTensor tensor = array.read(Selection.of("0:20, :"))) {
            assertArrayEquals(expected(0, 0, 20, 30), tensor.segment().toArray(JAVA_BYTE));
        }
    }

    @Test
    void namesAShardThatEndsEarly() throws Exception {
        Path file = sample.path().resolve("c/0/1");
        byte[] bytes = Files.readAllBytes(file);
        // Opened whole, then cut: the index is known, the chunks are gone.
        array.read(Selection.of("0:20, 20:30")).close();
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(bytes.length / 4);
        }
        CorruptChunkException e =
                assertThrows(
                        CorruptChunkException.class,
                        () -> array.read(Selection.of("0:20, 20:30")).close());
        assertTrue(e.getMessage().contains("/c/0/1, inner chunk"), e::getMessage);
        assertTrue(e.getMessage().contains("the file ends after"), e::getMessage);
    }

    @Test
    void failsWithAStoreErrorWhenAChunkCannotBeOpened() throws Exception {
        Path file = sample.path().resolve("c/0/0");
        Files.delete(file);
        Files.createDirectory(file);
        StoreException e =
                assertThrows(StoreException.class, () -> array.read(Selection.all()).close());
        assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
        assertTrue(e.getMessage().contains("is not a regular file"), e::getMessage);
    }

    /** None of these is a chunk that was never written: fill values would be wrong. */
    @Test
    void failsWithAStoreErrorForADanglingLinkOrAFileAsFolder() throws Exception {
        Path file = sample.path().resolve("c/0/0");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere"));
        StoreException e =
                assertThrows(StoreException.class, () -> array.read(Selection.all()).close());
        assertEquals(file + ": needs " + file + ", a symbolic link to nothing", e.getMessage());

        Files.move(sample.path().resolve("c"), sample.path().resolve("moved"));
        Files.createFile(sample.path().resolve("c"));
        e = assertThrows(StoreException.class, () -> array.read(Selection.of("0, 0")).close());
        assertTrue(e.getMessage().startsWith(file + ": "), e::getMessage);
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesADocumentThatIsNoRegularFile() throws Exception {
        Path document = sample.path().resolve("zarr.json");
        Files.delete(document);
        Files.createSymbolicLink(document, Path.of("/dev/zero"));
        assertEquals(document + ": is not a regular file", refusalOf(sample.path()));
        Files.delete(document);
        Files.createDirectory(document);
        assertEquals(document + ": is not a regular file", refusalOf(sample.path()));
        Files.delete(document);
        Path mkfifo = Path.of("/usr/bin/mkfifo"); // Reading a pipe without a writer would block.
        assumeTrue(Files.exists(mkfifo), "no mkfifo");
        String[] makePipe = {mkfifo.toString(), document.toString()};
        assertEquals(0, new ProcessBuilder(makePipe).start().waitFor());
        assertEquals(document + ": is not a regular file", refusalOf(sample.path()));
    }

    private String refusalOf(Path path) {
        return assertThrows(StoreException.class, () -> engine.open(path)).getMessage();
    }

    @Test
    void refusesThePathOfADocument() {
        Path document = sample.path().resolve("zarr.json");
        NodeNotFoundException e =
                assertThrows(NodeNotFoundException.class, () -> engine.open(document));
        assertTrue(e.getMessage().startsWith(document + ": is a file; "), e::getMessage);
    }

    @Test
    void readsOldFilesUntilTheArrayIsReopened() throws Exception {
        byte[] before = expected(0, 0, 40, 30);
        array.read(Selection.all()).close();
        try (var files = Files.walk(sample.path().resolve("c"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        try (HostTensor tensor = array.read(Selection.all())) {
            assertArrayEquals(before, tensor.segment().toArray(JAVA_BYTE));
        }
        try (ZarrArray again = engine.openArray(sample.path());
                HostTensor tensor = again.read(Selection.all())) {
            assertArrayEquals(new byte[2400], tensor.segment().toArray(JAVA_BYTE));
        }
    }

    @Test
    void refusesReadsAfterClose() {
        array.close();
        assertThrows(ClosedException.class, () -> array.read(Selection.all()));
        ZarrArray other = engine.openArray(sample.path());
        engine.close();
        assertThrows(ClosedException.class, () -> other.read(Selection.all()));
        assertThrows(ClosedException.class, () -> other.readAsync(Selection.all()));
        other.close();
    }

    @Test
    void opensAndCreatesNothingAfterClose() {
        ZarrGroup group = engine.createGroup(folder, new GroupMetadata(Map.of()));
        engine.close();
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.UINT8, 1).build();
        List<Executable> calls =
                List.of(
                        () -> engine.openArray(sample.path()),
                        () -> engine.openWriter(sample.path()),
                        () -> engine.openGroup(group.path()),
                        () -> engine.createArray(folder.resolve("new"), metadata),
                        () ->
                                engine.createGroup(
                                        folder.resolve("new"), new GroupMetadata(Map.of())),
                        () -> group.open("array"),
                        group::arrays);
        for (Executable call : calls) {
            assertThrows(ClosedException.class, call);
        }
        assertFalse(Files.exists(folder.resolve("new")));
    }

    /** An array that is not closed keeps its files open until then, and no longer. */
    @Test
    void closingTheEngineClosesTheFilesOfOpenArrays() throws Exception {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "no /proc");
        array.read(Selection.all()).close();
        assertTrue(openInFolder() > 0, "files are kept open");
        engine.close();
        assertEquals(0, openInFolder());
    }

    private long openInFolder() throws IOException {
        try (var descriptors = Files.list(DESCRIPTORS)) {
            Path real = folder.toRealPath();
            return descriptors.filter(one -> leadsTo(one).startsWith(real)).count();
        }
    }

    /** Returns the file behind a descriptor, or an empty path if it was closed meanwhile. */
    private static Path leadsTo(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return Path.of("");
        }
    }

    @Test
    void opensAndListsGroups() {
        ZarrGroup group =
                engine.createGroup(folder.resolve("group"), new GroupMetadata(Map.of("a", 1L)));
        engine.createGroup(folder.resolve("group/inner"), new GroupMetadata(Map.of()));
        engine.createArray(
                folder.resolve("group/numbers"),
                ArrayMetadata.builder(NumericType.UINT8, 3)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build());

        assertEquals(List.of("inner", "numbers"), group.names());
        assertInstanceOf(ZarrArray.class, group.open("numbers")).close();
        SortedMap<String, ZarrArray> arrays = group.arrays();
        assertEquals(Set.of("numbers"), arrays.keySet());
        assertArrayEquals(new long[] {3}, arrays.get("numbers").shape());
        arrays.values().forEach(ZarrArray::close);
        assertEquals(Set.of("inner"), group.groups().keySet());
        assertEquals(Map.of("a", 1L), engine.openGroup(folder.resolve("group")).attributes());
        assertThrows(NodeNotFoundException.class, () -> group.open("missing"));
        assertThrows(NodeNotFoundException.class, () -> group.open("../array"));
        assertThrows(NodeNotFoundException.class, () -> engine.openArray(folder.resolve("group")));
        assertThrows(NodeNotFoundException.class, () -> engine.openGroup(sample.path()));
    }

    /** The machine has no GPU, or no GPUDirect Storage, like nearly every machine. */
    @Test
    void refusesToOpenWithoutTheRequestedIo() {
        Optional<String> cause = DeviceProvider.find().directReadUnavailabilityCause();
        assumeTrue(cause.isPresent(), "there is GPUDirect Storage");
        ZarrEngineBuilder builder = ZarrEngine.builder().io(ZarrEngine.Io.GDS);
        var refusal = assertThrows(UnsupportedOperationException.class, builder::open);
        assertEquals("GPUDirect Storage: " + cause.get(), refusal.getMessage());
    }

    @Test
    void refusesToCreateAnArrayTwice() {
        assertThrows(
                StoreException.class, () -> engine.createArray(sample.path(), sample.metadata()));
    }

    /**
     * The decoded size limit of a shard, with room for every inner chunk, is far above the real
     * size.
     */
    @Test
    void readsACompressedShardOfManyChunksInASmallBudget() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT8, 4096)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(new long[] {1}, CodecSpec.bytes()),
                                        CodecSpec.gzip(1)))
                        .build();
        SampleArray whole = SampleArray.write(engine, folder.resolve("whole"), metadata);
        try (ZarrEngine small = ZarrEngine.builder().workers(1).budgetBytes(16 << 20).open();
                ZarrArray opened = small.openArray(whole.path());
                HostTensor tensor = opened.read(Selection.of("4000:4096"))) {
            for (int i = 0; i < 96; i++) {
                byte expected = whole.element(new long[] {4000 + i})[0];
                assertEquals(expected, tensor.segment().get(JAVA_BYTE, i));
            }
        }
    }
}
