package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.RemoteArray.Kind;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads arrays from a store whose objects are kept on disk. */
final class DiskCacheReadTest {
    @TempDir private Path folder;
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private RemoteArray remote;
    private CountedStore store;
    private Path cache;

    @BeforeEach
    void setUp() {
        remote = new RemoteArray(folder);
        store = remote.store();
        cache = folder.resolve("cache");
    }

    private ZarrEngineBuilder builder() {
        ZarrEngineBuilder builder =
                ZarrEngine.builder().diskCache(cache, 1L << 30).diskCacheMaxAge(Duration.ofDays(1));
        builder.diskCache.clock(now::get);
        return builder;
    }

    private byte[] read(ZarrEngine engine, String selection) {
        return remote.read(engine, selection);
    }

    private SampleArray write(Kind kind) throws IOException {
        return remote.write(kind);
    }

    private byte[] readAll(ZarrEngine engine) {
        return read(engine, "...");
    }

    private byte[] readAll(ZarrEngineBuilder builder) {
        try (ZarrEngine engine = builder.open()) {
            return readAll(engine);
        }
    }

    private byte[] readAll() {
        return readAll(builder());
    }

    /**
     * Faults: what was read is not kept, or not found again: in the same engine, in another one, or
     * where an object is opened in another way. A block is placed at a wrong offset.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void secondPassMakesNoRequest(Kind kind) throws IOException {
        SampleArray sample = write(kind);
        try (ZarrEngine engine = builder().open()) {
            assertArrayEquals(sample.all(), readAll(engine));
            assertTrue(store.takeChunkReads() > 0);
            assertArrayEquals(sample.all(), readAll(engine));
            assertEquals(0, store.takeChunkReads());
            DiskCacheMetrics done = engine.metrics().diskCache();
            assertTrue(done.bytesWritten() > 0);
            assertTrue(done.bytesFound() >= done.bytesWritten());
            assertEquals(0, done.failures());
        }
        assertArrayEquals(sample.all(), readAll());
        assertEquals(0, store.takeChunkReads());
    }

    /** Fault: bytes that came damaged once are kept, and fail each later read. */
    @Test
    void damagedBytesAreAskedForAgain() throws IOException {
        SampleArray sample = write(Kind.SHARDS);
        String key = RemoteArray.ARRAY + "/c/0/0";
        Path shard = folder.resolve(Kind.SHARDS.toString()).resolve(key);
        byte[] right = Files.readAllBytes(shard);
        byte[] damaged = right.clone();
        damaged[40] ^= 0x55;
        remote.objects().put(key, damaged);
        assertThrows(CorruptChunkException.class, this::readAll);
        remote.objects().put(key, right);
        assertArrayEquals(sample.all(), readAll());
    }

    /** Fault: chunks in a zip file are not kept, or are shifted in it. */
    @ParameterizedTest
    @EnumSource(names = {"CHUNKS", "RAW", "LARGE_SHARDS"})
    void secondPassOfAZipFileReadsItsDirectory(Kind kind) throws IOException {
        byte[] expected = write(kind).all();
        Path zip = folder.resolve("z.zip");
        ZipFiles.zip(folder.resolve(kind.toString()), zip, ZipOutputStream.STORED);
        remote.objects().put("z.zip", Files.readAllBytes(zip));
        for (int i = 0; i < 3; i++) {
            store.takeChunkReads();
            try (ZarrEngine engine = builder().open();
                    ZarrArray array = engine.openArray(store, "z.zip/a");
                    HostTensor all = array.read(Selection.all())) {
                assertArrayEquals(expected, all.segment().toArray(JAVA_BYTE));
            }
        }
        assertTrue(store.takeChunkReads() <= 2);
    }

    /** Fault: a way of reading files or of caching cannot read the files of the cache. */
    @ParameterizedTest
    @MethodSource("ways")
    void anyWayOfReadingFindsThem(ZarrEngine.Io io, Caching caching) throws IOException {
        byte[] expected = write(Kind.LARGE_SHARDS).all();
        for (int i = 0; i < 3; i++) {
            store.takeChunkReads();
            assertArrayEquals(expected, readAll(builder().io(io).caching(caching)));
        }
        assertEquals(0, store.takeChunkReads());
    }

    static Stream<Arguments> ways() {
        return Stream.of(ZarrEngine.Io.AUTO, ZarrEngine.Io.PREAD, ZarrEngine.Io.CHANNEL)
                .filter(io ->
                        io != ZarrEngine.Io.PREAD
                                || ReadBackend.unavailabilityCause(ReadBackend.Method.PREADV)
                                        .isEmpty())
                .flatMap(io ->
                        Stream.of(Caching.values()).map(caching -> Arguments.of(io, caching)));
    }

    /**
     * Faults: a part that was not read counts as kept, because what lies around it is; what lies
     * between kept parts is read with them, because requests have become more costly meanwhile.
     */
    @Test
    void crops() throws IOException {
        SampleArray sample = write(Kind.LARGE_SHARDS);
        byte[] all = sample.all();
        try (ZarrEngine engine = builder().open()) {
            for (String crop : List.of("60:61, 120:121", "0:1000:99, 3:4", "500:560, 0:700")) {
                store.setRequestCost(RequestCost.MEMORY);
                byte[] first = read(engine, crop);
                assertTrue(store.takeChunkReads() > 0, crop);
                store.setRequestCost(RequestCost.NETWORK);
                assertArrayEquals(first, read(engine, crop));
                assertEquals(0, store.takeChunkReads(), crop);
            }
            assertArrayEquals(all, readAll(engine));
        }
    }

    /**
     * Faults: an old version is read after the age at which the server has to be asked; the old and
     * the new one are mixed; the new one is not kept.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void changedObjectsAreReadAnewAfterTheMaximumAge(Kind kind) throws IOException {
        SampleArray sample = write(kind);
        byte[] before = readAll();
        assertArrayEquals(sample.all(), before);
        remote.changeAll(kind);
        assertArrayEquals(before, readAll());
        now.set(now.get().plus(Duration.ofDays(1)));
        byte[] after = readAll();
        assertTrue(store.takeChunkReads() > 0);
        assertArrayEquals(readAll(ZarrEngine.builder()), after);
        store.takeChunkReads();
        assertArrayEquals(after, readAll());
        assertEquals(0, store.takeChunkReads());
    }

    /** Fault: an unusable folder is noticed by a read, or is not named. */
    @Test
    void refusesAFolderThatIsAFile() throws IOException {
        Files.writeString(cache, "a file");
        StoreException e = assertThrows(StoreException.class, () -> builder().open());
        assertTrue(e.getMessage().contains(cache.toString()), e.getMessage());
    }

    /**
     * Faults: when the store says that an object has changed, what is kept of the old version is
     * still read, or mixed with the new one.
     */
    @Test
    void whatHasChangedWhileItWasOpenIsReadAnew() throws IOException {
        write(Kind.LARGE_SHARDS);
        try (ZarrEngine engine = builder().open();
                ZarrArray array = engine.openArray(store, "a")) {
            array.read(Selection.of("0:50, 0:100")).close();
            remote.changeAll(Kind.LARGE_SHARDS);
            array.read(Selection.of("0:50, 0:100")).close();
            Selection other = Selection.of("700:900, 300:500");
            assertThrows(StoreException.class, () -> array.read(other));
            byte[] after = readAll(ZarrEngine.builder());
            try (HostTensor all = array.read(Selection.all())) {
                assertArrayEquals(after, all.segment().toArray(JAVA_BYTE));
            }
            assertArrayEquals(after, readAll());
        }
    }

    /**
     * Faults: what is too old is read anew, though its server has the same version; its server is
     * asked again for what it has just confirmed.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatTheServerConfirmsIsReadFromDisk(Kind kind) throws IOException {
        SampleArray sample = write(kind);
        readAll();
        now.set(now.get().plus(Duration.ofDays(2)));
        store.takeChunkReads();
        try (ZarrEngine engine = builder().open()) {
            assertArrayEquals(sample.all(), readAll(engine));
            assertEquals(0, engine.metrics().diskCache().bytesMissed());
        }
        assertTrue(store.takeChunkReads() > 0);
        assertArrayEquals(sample.all(), readAll());
        assertEquals(0, store.takeChunkReads());
    }

    /** Fault: with a maximum age of zero, no server is asked, or nothing is found in an array. */
    @Test
    void asksForEachObjectWithoutAMaximumAge() throws IOException {
        SampleArray sample = write(Kind.SHARDS);
        for (int i = 0; i < 2; i++) {
            try (ZarrEngine engine = builder().diskCacheMaxAge(Duration.ZERO).open();
                    ZarrArray array = engine.openArray(store, "a")) {
                for (int pass = 0; pass < 2; pass++) {
                    store.takeChunkReads();
                    try (HostTensor all = array.read(Selection.all())) {
                        assertArrayEquals(sample.all(), all.segment().toArray(JAVA_BYTE));
                    }
                    assertEquals(pass == 0, store.takeChunkReads() > 0);
                }
            }
        }
    }

    /**
     * Faults: what another engine has asked for after the array was opened is asked for again; an
     * array that is opened later believes it.
     */
    @Test
    void believesWhatWasConfirmedSinceTheArrayWasOpened() throws IOException {
        SampleArray sample = write(Kind.CHUNKS);
        try (ZarrEngine first = builder().diskCacheMaxAge(Duration.ZERO).open();
                ZarrArray array = first.openArray(store, "a")) {
            now.set(now.get().plus(Duration.ofSeconds(1)));
            readAll();
            store.takeChunkReads();
            try (HostTensor all = array.read(Selection.all())) {
                assertArrayEquals(sample.all(), all.segment().toArray(JAVA_BYTE));
            }
            assertEquals(0, store.takeChunkReads());
            now.set(now.get().plus(Duration.ofSeconds(1)));
            remote.changeAll(Kind.CHUNKS);
            assertArrayEquals(readAll(ZarrEngine.builder()), readAll(first));
        }
    }

    /** Fault: objects without a version are kept, of which nobody knows whether they changed. */
    @Test
    void keepsNothingWithoutAVersion() throws IOException {
        SampleArray sample = write(Kind.CHUNKS);
        store.hidesVersions();
        try (ZarrEngine engine = builder().open()) {
            assertArrayEquals(sample.all(), readAll(engine));
            assertEquals(0, engine.metrics().diskCache().bytesWritten());
        }
        assertEquals(List.of(), files());
    }

    /** Fault: reads that were cancelled, or that the engine's end has cut, leave files open. */
    @Test
    void leavesNoFileOpen() throws IOException {
        write(Kind.LARGE_SHARDS);
        for (int i = 0; i < 4; i++) {
            try (ZarrEngine engine = builder().open();
                    ZarrArray array = engine.openArray(store, "a")) {
                CompletableFuture<HostTensor> cancelled = array.readAsync(Selection.all());
                cancelled.cancel(true);
                CompletableFuture<HostTensor> cut = array.readAsync(Selection.all());
                assertFalse(cut.isCancelled());
            }
            assertEquals(List.of(), openFiles());
        }
    }

    /** Fault: an engine that does nothing keeps files open, and their space, that are removed. */
    @Test
    void closesRemovedFilesWhileItIsIdle() throws Exception {
        SampleArray sample = write(Kind.SHARDS);
        ZarrEngineBuilder builder = builder();
        builder.diskCache.unusedMax(Duration.ofMillis(300));
        try (ZarrEngine engine = builder.open()) {
            try (ZarrArray array = engine.openArray(store, RemoteArray.ARRAY)) {
                for (int i = 0; i < 2; i++) {
                    try (HostTensor tensor = array.read(Selection.all())) {
                        assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
                    }
                }
                for (Path file : files()) { // As another process does.
                    Files.delete(file);
                }
                for (int i = 0; i < 1000 && !openFiles().isEmpty(); i++) {
                    Thread.sleep(10);
                }
                assertEquals(List.of(), openFiles());
                try (HostTensor tensor = array.read(Selection.all())) {
                    assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
                }
            }
        }
    }

    private List<String> openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "no list of descriptors");
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path descriptor : all.toList()) {
                try {
                    String file = Files.readSymbolicLink(descriptor).toString();
                    if (file.startsWith(cache.toString())) {
                        open.add(file);
                    }
                } catch (NoSuchFileException e) {
                    // It was that of the list.
                }
            }
        }
        return open;
    }

    /** {@return the files of objects} */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(cache)) {
            return all.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock")).toList();
        }
    }

    /** {@return the bytes of all files, some of which may vanish meanwhile} */
    private long bytesOfFiles() throws IOException {
        long[] bytes = {0};
        Files.walkFileTree(
                cache,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes[0] += attributes.size();
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        return bytes[0];
    }

    /**
     * Faults: the bound is exceeded for long; what was used last is removed; a reader notices that
     * the file it reads was removed.
     */
    @Test
    void staysNearItsBound() throws IOException {
        byte[] expected = write(Kind.MANY_CHUNKS).all();
        long bound = expected.length / 4;
        try (ZarrEngine engine = ZarrEngine.builder().diskCache(cache, bound).open()) {
            for (int i = 0;
                    i < 3000 && engine.metrics().diskCache().bytesWritten() < 3 * bound;
                    i++) {
                assertArrayEquals(expected, readAll(engine));
                long bytes = bytesOfFiles();
                assertTrue(bytes <= bound + bound / 4, bytes + " of " + bound);
            }
            assertEquals(0, engine.metrics().diskCache().failures());
            assertTrue(engine.metrics().diskCache().bytesWritten() >= 3 * bound);
        }
    }
}
