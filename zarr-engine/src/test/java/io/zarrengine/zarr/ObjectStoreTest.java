package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads arrays from stores of callers, good and bad ones. */
final class ObjectStoreTest {
    @TempDir private Path folder;
    private final MemoryStore objects = MemoryStore.create();
    private ZarrEngine engine;
    private SampleArray sample;

    @BeforeEach
    void open() throws IOException {
        engine = ZarrEngine.open();
        sample =
                SampleArray.writeShards(
                        engine,
                        folder.resolve("a"),
                        NumericType.INT32,
                        CodecSpec.bytes(),
                        CodecSpec.gzip(1));
        objects.putAll(folder);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** A store that passes reads on, unless a test makes it worse. */
    private class Passing implements ObjectStore {
        @Override
        public String name() {
            return "test://store";
        }

        @Override
        public void read(List<? extends ObjectRead> reads) {
            objects.read(reads);
        }

        @Override
        public void close() {}
    }

    private byte[] readAll(ObjectStore store) {
        try (ZarrArray array = engine.openArray(store, "a");
                HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    /** Fault: the engine relies on the order of reads, or on the thread that ends them. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3})
    void readsThatEndInAnyOrderOnOtherThreads(int seed) {
        Random random = new Random(seed);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            ObjectStore shuffled =
                    new Passing() {
                        @Override
                        public void read(List<? extends ObjectRead> reads) {
                            List<ObjectRead> all = new ArrayList<>(reads);
                            synchronized (random) {
                                Collections.shuffle(all, random);
                            }
                            all.forEach(read -> threads.execute(() -> objects.read(List.of(read))));
                        }
                    };
            assertArrayEquals(sample.all(), readAll(shuffled));
        }
    }

    /** Fault: a store that throws, or fails for no reason, hangs the read or breaks a worker. */
    @Test
    void namesWhatAStoreFailsWith() {
        ObjectStore throwing =
                new Passing() {
                    @Override
                    public void read(List<? extends ObjectRead> reads) {
                        if (reads.getFirst().key().endsWith("zarr.json")) {
                            super.read(reads);
                        } else {
                            throw new IllegalStateException("out of order");
                        }
                    }
                };
        StoreException e = assertThrows(StoreException.class, () -> readAll(throwing));
        assertTrue(e.getMessage().contains("test://store/a/c/"), e::getMessage);
        assertTrue(e.getMessage().contains("out of order"), e::getMessage);
        ObjectStore silent =
                new Passing() {
                    @Override
                    public void read(List<? extends ObjectRead> reads) {
                        if (reads.getFirst().key().endsWith("zarr.json")) {
                            super.read(reads);
                        } else {
                            reads.forEach(read -> read.failed(null));
                        }
                    }
                };
        e = assertThrows(StoreException.class, () -> readAll(silent));
        assertTrue(e.getMessage().contains("no reason"), e::getMessage);
        assertArrayEquals(sample.all(), readAll(objects), "the engine goes on");
    }

    /** A store that does something to the first reads of a batch of chunks, and then throws. */
    private final class Throwing extends Passing {
        private final Consumer<ObjectRead> before;
        private final CompletableFuture<Void> thrown = new CompletableFuture<>();

        Throwing(Consumer<ObjectRead> before) {
            this.before = before;
            engine.close();
            engine = ZarrEngine.builder().workers(1).open(); // Else each may get one read.
        }

        @Override
        public synchronized void read(List<? extends ObjectRead> reads) {
            boolean throwsNow =
                    !reads.getFirst().key().endsWith("zarr.json")
                            && reads.size() > 1
                            && !thrown.isDone();
            if (throwsNow) {
                reads.subList(0, reads.size() - 1).forEach(before);
                thrown.complete(null);
                throw new IllegalStateException("out of order");
            }
            super.read(reads);
        }
    }

    private void assertFailsAndGoesOn(Throwing store) {
        StoreException e = assertThrows(StoreException.class, () -> readAll(store));
        assertTrue(e.getMessage().contains("out of order"), e::getMessage);
        assertTrue(store.thrown.isDone());
        assertArrayEquals(sample.all(), readAll(store));
    }

    /** Fault: reads that a store ended before it threw end again, or the others never do. */
    @Test
    void failsTheReadsThatAStoreDidNotEndWhenItThrows() {
        assertFailsAndGoesOn(new Throwing(read -> objects.read(List.of(read))));
        assertFailsAndGoesOn(new Throwing(read -> read.target(1)));
    }

    /** Fault: a store that threw writes later to memory that other reads have. */
    @Test
    void lendsNoMemoryAfterTheStoreHasThrown() {
        List<ObjectRead> kept = new ArrayList<>();
        assertFailsAndGoesOn(new Throwing(kept::add));
        for (ObjectRead read : kept) {
            assertThrows(IllegalStateException.class, () -> read.target(1));
            read.completed(1, 1, Optional.empty()); // Too late: nobody hears it.
        }
        assertFalse(kept.isEmpty());
    }

    /** Fault: memory to which another thread of the store writes is given to other reads. */
    @Test
    void waitsForReadsThatAThreadOfTheStoreHas() throws Exception {
        Queue<ObjectRead> taken = new ConcurrentLinkedQueue<>();
        Throwing store =
                new Throwing(read -> {
                    join(Thread.ofVirtual().start(() -> read.target(1)));
                    taken.add(read);
                });
        CompletableFuture<StoreException> failure = new CompletableFuture<>();
        Thread reader =
                Thread.ofVirtual()
                        .start(() ->
                                failure.complete(
                                        assertThrows(StoreException.class, () -> readAll(store))));
        store.thrown.get(20, TimeUnit.SECONDS);
        for (ObjectRead read : taken) {
            assertEquals(1, read.target(1).byteSize(), "still the store's");
            assertFalse(failure.isDone(), "the caller may free the memory");
            read.failed(new IOException("at last"));
            assertThrows(IllegalStateException.class, () -> read.target(1));
        }
        assertFalse(taken.isEmpty());
        join(reader);
        assertArrayEquals(sample.all(), readAll(store));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Fault: a read that a store ends twice frees its memory twice. */
    @Test
    void endsAReadOnce() {
        ObjectStore twice =
                new Passing() {
                    @Override
                    public void read(List<? extends ObjectRead> reads) {
                        super.read(reads);
                        reads.forEach(read -> read.completed(1, 1, Optional.empty()));
                        reads.forEach(ObjectRead::missing);
                    }
                };
        assertArrayEquals(sample.all(), readAll(twice));
    }

    /** Fault: a store writes more than was asked for, over the memory of other reads. */
    @Test
    void lendsNoMoreMemoryThanWasWanted() {
        ObjectStore greedy =
                new Passing() {
                    @Override
                    public void read(List<? extends ObjectRead> reads) {
                        for (ObjectRead read : reads) {
                            if (read.length() != ObjectRead.WHOLE) {
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> read.target(read.length() + 1));
                            }
                        }
                        super.read(reads);
                    }
                };
        assertArrayEquals(sample.all(), readAll(greedy));
    }

    @Test
    void readsToTheCallersMemory() {
        try (ZarrArray array = engine.openArray(objects, "/a/");
                Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(array.bytesOf(Selection.all()));
            array.read(Selection.all(), target);
            assertArrayEquals(sample.all(), target.toArray(JAVA_BYTE));
        }
    }

    @Test
    void opensUrlsOfNamedStores() throws IOException {
        try (MemoryStore named = MemoryStore.named("object-store-test")) {
            named.putAll(folder);
            try (ZarrArray array = engine.openArray(URI.create("memory://object-store-test/a"))) {
                assertEquals("memory://object-store-test/a", array.path().toString());
            }
        }
        try (ZarrArray array = engine.openArray(folder.resolve("a").toUri())) {
            assertEquals(folder.resolve("a"), array.path());
        }
    }

    /** Fault: an array that is written to memory is another one than that in files. */
    @Test
    void readsWhatIsWrittenToMemory() {
        for (String key : List.of("", "/x/y", "x//y/../z/")) {
            try (MemoryStore store = MemoryStore.create()) {
                ArrayMetadata metadata;
                try (ZarrArray array = engine.openArray(folder.resolve("a"))) {
                    metadata = array.metadata();
                }
                ArrayWriter writer = engine.createArray(store, key, metadata);
                writer.writeAll((chunk, elements) -> elements.fill((byte) (1 + chunk[0])));
                writer.writeChunk(new long[writer.gridShape().length], fillOf(writer, metadata));
                try (ZarrArray array = engine.openArray(store, key);
                        HostTensor all = array.read(Selection.all())) {
                    byte[] bytes = all.segment().toArray(JAVA_BYTE);
                    assertEquals(metadata.fillValue()[0], bytes[0]);
                    assertEquals(writer.gridShape()[0], bytes[bytes.length - 1]);
                }
                var e =
                        assertThrows(
                                StoreException.class,
                                () -> engine.createArray(store, key, metadata));
                assertTrue(e.getMessage().contains("is a Zarr node already"), e::getMessage);
            }
        }
    }

    /** Fault: two threads create the same array, and write each other's chunks. */
    @Test
    void oneThreadCreatesAnArrayInMemory() {
        try (MemoryStore store = MemoryStore.create();
                ZarrArray array = engine.openArray(folder.resolve("a"))) {
            for (int i = 0; i < 200; i++) {
                String key = "a" + i;
                long created =
                        IntStream.range(0, 4)
                                .mapToObj(_ ->
                                        CompletableFuture.supplyAsync(
                                                () -> creates(store, key, array.metadata())))
                                .toList()
                                .stream()
                                .filter(CompletableFuture::join)
                                .count();
                assertEquals(1, created, key);
            }
        }
    }

    private boolean creates(MemoryStore store, String key, ArrayMetadata metadata) {
        try {
            engine.createArray(store, key, metadata);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private static MemorySegment fillOf(ArrayWriter writer, ArrayMetadata metadata) {
        MemorySegment elements = MemorySegment.ofArray(new byte[(int) writer.chunkBytes()]);
        MemorySegment fill = MemorySegment.ofArray(metadata.fillValue());
        for (long at = 0; at < elements.byteSize(); at += fill.byteSize()) {
            MemorySegment.copy(fill, 0, elements, at, fill.byteSize());
        }
        return elements;
    }

    /** Fault: the message names another server, or repeats a secret. */
    @Test
    void refusesUrlsOfNoObject() {
        for (String url :
                List.of(
                        "https://me:s3cret@h:99/a#s3cret",
                        "s3://my_bucket/a?s3cret",
                        "http:///a")) {
            var e =
                    assertThrows(
                            IllegalArgumentException.class, () -> engine.open(URI.create(url)));
            String expected = url.replaceAll("me:s3cret@|[#?].*", "") + ": expected scheme://";
            assertTrue(e.getMessage().startsWith(expected), e::getMessage);
        }
    }

    /** Fault: the message does not say which dependency is missing, or repeats a password. */
    @Test
    void saysWhatReadsAUrl() {
        assumeTrue(
                ServiceLoader.load(ObjectStoreProvider.class).findFirst().isEmpty(),
                "a module that reads URLs is there");
        StoreException e =
                assertThrows(
                        StoreException.class,
                        () -> engine.openArray(URI.create("https://me:s3cret@example.org/a")));
        assertEquals(
                "https://example.org: reading it needs the module io.zarrengine:http on the class"
                        + " path or module path",
                e.getMessage());
        e = assertThrows(StoreException.class, () -> engine.open(URI.create("hdfs://host/a")));
        assertTrue(e.getMessage().contains("a store of the kind hdfs cannot be read"));
    }
}
