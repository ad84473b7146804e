package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads arrays from a store whose objects are kept on disk. */
final class DiskCacheReadTest {
    private static final String ARRAY = "a";

    @TempDir private Path folder;
    private final MemoryStore objects = MemoryStore.create();
    private final CountedStore store = new CountedStore(objects);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private Path cache;

    @BeforeEach
    void setUp() {
        cache = folder.resolve("cache");
    }

    /** The arrays differ in how their objects are opened and read. */
    enum Kind {
        /** Their indexes are at the end. */
        SHARDS,
        /** Of several MiB, with holes between what is read. */
        LARGE_SHARDS,
        /** Read as a whole by one request. */
        CHUNKS,
        /** Read in part by one request. */
        RAW,
        /** Opened first, then read in slabs. */
        LARGE_RAW
    }

    private SampleArray write(Kind kind) throws IOException {
        Path local = folder.resolve(kind + "/" + ARRAY);
        try (ZarrEngine writer = ZarrEngine.open()) {
            SampleArray sample =
                    switch (kind) {
                        case SHARDS ->
                                SampleArray.writeShards(
                                        writer,
                                        local,
                                        NumericType.INT32,
                                        CodecSpec.bytes(),
                                        CodecSpec.gzip(1));
                        case LARGE_SHARDS ->
                                SampleArray.write(
                                        writer,
                                        local,
                                        ArrayMetadata.builder(NumericType.INT32, 1000, 700)
                                                .chunkShape(1000, 700)
                                                .codecs(
                                                        List.of(
                                                                CodecSpec.sharding(
                                                                        new long[] {50, 100},
                                                                        CodecSpec.bytes())))
                                                .build());
                        case CHUNKS -> write(writer, local, 100, CodecSpec.gzip(1));
                        case RAW -> write(writer, local, 100);
                        case LARGE_RAW -> write(writer, local, 1600);
                    };
            objects.putAll(folder.resolve(kind.toString()));
            return sample;
        }
    }

    private static SampleArray write(
            ZarrEngine engine, Path path, long side, CodecSpec... compressors) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, side + side / 2, side)
                        .chunkShape(side, side)
                        .codecs(
                                Stream.concat(Stream.of(CodecSpec.bytes()), Stream.of(compressors))
                                        .toList())
                        .build();
        return SampleArray.write(engine, path, metadata);
    }

    private ZarrEngineBuilder builder() {
        ZarrEngineBuilder builder = ZarrEngine.builder().diskCache(cache, 1L << 30);
        builder.diskCache.clock(now::get);
        return builder;
    }

    private byte[] read(ZarrEngine engine, String selection) {
        try (ZarrArray array = engine.openArray(store, ARRAY);
                HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
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

    /** Fault: a way of reading files or of caching cannot read the files of the cache. */
    @ParameterizedTest
    @MethodSource("ways")
    void anyWayOfReadingFindsThem(ZarrEngine.Io io, Caching caching) throws IOException {
        for (Kind kind : Kind.values()) {
            SampleArray sample = write(kind);
            cache = folder.resolve("cache-" + kind);
            for (int i = 0; i < 3; i++) {
                store.takeChunkReads();
                assertArrayEquals(sample.all(), readAll(builder().io(io).caching(caching)));
            }
            assertEquals(0, store.takeChunkReads());
        }
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

    /** Fault: a part that was not read counts as kept, because what lies around it is. */
    @Test
    void crops() throws IOException {
        SampleArray sample = write(Kind.LARGE_SHARDS);
        byte[] all = sample.all();
        try (ZarrEngine engine = builder().open()) {
            for (String crop : List.of("60:61, 120:121", "0:1000:99, 3:4", "500:560, 0:700")) {
                byte[] first = read(engine, crop);
                assertTrue(store.takeChunkReads() > 0, crop);
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
        changeAll(kind);
        assertArrayEquals(before, readAll());
        now.set(now.get().plus(Duration.ofDays(1)));
        byte[] after = readAll();
        assertTrue(store.takeChunkReads() > 0);
        assertArrayEquals(readAll(ZarrEngine.builder()), after);
        store.takeChunkReads();
        assertArrayEquals(after, readAll());
        assertEquals(0, store.takeChunkReads());
    }

    /** Puts an array of other elements in the place of the array. */
    private void changeAll(Kind kind) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(kind.toString()))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = folder.resolve(kind.toString()).relativize(file).toString();
                byte[] bytes = Files.readAllBytes(file);
                if (kind == Kind.RAW || kind == Kind.LARGE_RAW) {
                    bytes[bytes.length / 2] ^= key.endsWith("json") ? 0 : 0x55;
                }
                objects.put(key, bytes);
            }
        }
    }

    /** Fault: an unusable folder is noticed by a read, or is not named. */
    @Test
    void refusesAFolderThatIsAFile() throws IOException {
        Files.writeString(cache, "a file");
        StoreException e = assertThrows(StoreException.class, () -> builder().open());
        assertTrue(e.getMessage().contains(cache.toString()), e.getMessage());
    }
}
