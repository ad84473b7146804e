package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.zip.ZipEntry.DEFLATED;
import static java.util.zip.ZipEntry.STORED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.HostMemoryDevices;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads hierarchies in zip files that are objects of a store: the values and the requests. */
final class ZipObjectReadTest {
    @TempDir private Path folder;
    private final MemoryStore objects = MemoryStore.create();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final List<ObjectRead> held = new ArrayList<>(); // guarded by itself
    private boolean isHolding; // guarded by held
    private ZarrEngine engine;
    private Path root;
    private SampleArray chunks;
    private SampleArray raw;
    private SampleArray shards;

    /** Passes reads on, or holds them, and notes them. */
    private final ObjectStore store =
            new ObjectStore() {
                @Override
                public String name() {
                    return "test://store";
                }

                @Override
                public void read(List<? extends ObjectRead> reads) {
                    reads.forEach(read -> requests.add(read.key() + " " + read.offset()));
                    if (!hold(reads)) {
                        objects.read(reads);
                    }
                }

                @Override
                public RequestCost requestCost() {
                    return RequestCost.NETWORK;
                }

                @Override
                public void close() {}
            };

    private boolean hold(List<? extends ObjectRead> reads) {
        synchronized (held) {
            return isHolding && held.addAll(reads);
        }
    }

    private List<ObjectRead> setHolding(boolean newHolding) {
        synchronized (held) {
            isHolding = newHolding;
            return List.copyOf(held);
        }
    }

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
        root = folder.resolve("root");
        engine.createGroup(root, new GroupMetadata(Map.of("name", "cells")));
        engine.createGroup(root.resolve("inner"), new GroupMetadata(Map.of()));
        chunks = write("chunks", CodecSpec.bytes(), CodecSpec.crc32c());
        raw = write("raw", CodecSpec.bytes());
        shards =
                SampleArray.writeShards(
                        engine,
                        root.resolve("inner/shards"),
                        NumericType.FLOAT32,
                        CodecSpec.bytes(),
                        CodecSpec.gzip(1));
    }

    private SampleArray write(String name, CodecSpec... codecs) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 37, 50)
                        .chunkShape(10, 20)
                        .codecs(List.of(codecs))
                        .build();
        return SampleArray.write(engine, root.resolve(name), metadata);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** {@return a zip file of the hierarchy} */
    private byte[] zipped(int ofDocuments, int ofChunks) throws IOException {
        Path zip = Files.createTempFile(folder, "made", ".zip");
        ZipFiles.zip(root, zip, ofDocuments, ofChunks);
        return Files.readAllBytes(zip);
    }

    /** {@return the same, where the directory does not tell where the bytes of a file begin} */
    private byte[] spaced(int extraBytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = root.relativize(file).toString();
                ZipFiles.putAfter(out, extraBytes, name, Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }

    /** Puts the hierarchy into the store; with {@code extraBytes}, it is spaced. */
    private void put(String key, int extraBytes) throws IOException {
        objects.put(key, extraBytes == 0 ? zipped(STORED, STORED) : spaced(extraBytes));
    }

    private static byte[] bytes(ZarrArray array, String selection) {
        try (HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    private byte[] local(SampleArray sample, String selection) {
        try (ZarrArray array = engine.openArray(sample.path())) {
            return bytes(array, selection);
        }
    }

    private void assertReads(String path, SampleArray sample) {
        try (ZarrArray array = engine.openArray(store, path)) {
            for (String selection : List.of("...", "3, 4", "2:31, 5:45", "::7, ::3", "...")) {
                assertArrayEquals(local(sample, selection), bytes(array, selection), selection);
            }
        }
    }

    private void assertReadsAll(String zip) {
        assertReads(zip + "/chunks", chunks);
        assertReads(zip + "/raw", raw);
        assertReads(zip + "/inner/shards", shards);
    }

    /** Fault: bytes before or after a chunk are taken for it; 5,000 are more than is read ahead. */
    @Test
    void equalsTheSameHierarchyInAFolder() throws IOException {
        put("a/stored.zip", 0);
        objects.put("a/documents.ozx", zipped(DEFLATED, STORED));
        objects.put("deflated.zip", zipped(DEFLATED, DEFLATED));
        put("spaced.zip", 28);
        put("wide.zip", 5_000);
        for (String zip :
                List.of(
                        "a/stored.zip",
                        "a/documents.ozx",
                        "deflated.zip",
                        "spaced.zip",
                        "wide.zip")) {
            assertReadsAll(zip);
        }
    }

    /** Fault: a group needs a store that lists, or opens the zip file for each member. */
    @Test
    void readsGroupsAndLists() throws IOException {
        put("a.zip", 0);
        ZarrGroup group = (ZarrGroup) engine.open(store, "a.zip");
        assertEquals(Map.of("name", "cells"), group.attributes());
        assertEquals(List.of("chunks", "inner", "raw"), group.names());
        assertEquals(List.of("shards"), ((ZarrGroup) group.open("inner")).names());
        try (ZarrArray array = (ZarrArray) group.open("inner/shards");
                ZarrArray inFolder = engine.openArray(shards.path())) {
            assertEquals("test://store/a.zip/inner/shards", array.path().toString());
            assertEquals(inFolder.storedSize(), array.storedSize());
        }
        assertEquals(
                1, requests.stream().filter("a.zip -131072"::equals).count(), requests::toString);
        NodeNotFoundException e =
                assertThrows(NodeNotFoundException.class, () -> group.open("none"));
        assertEquals("test://store/a.zip/none: does not exist", e.getMessage());
    }

    /**
     * Fault: a member of a group in a bucket is not looked for in a zip file, as one of a folder.
     */
    @Test
    void opensAZipFileBelowAGroup() throws IOException {
        put("around/a.zip", 0);
        byte[] document = Files.readAllBytes(root.resolve("zarr.json"));
        objects.put("around/zarr.json", document);
        ZarrGroup around = (ZarrGroup) engine.open(store, "around");
        try (ZarrArray array = (ZarrArray) around.open("a.zip/chunks")) {
            assertArrayEquals(chunks.all(), bytes(array, "..."));
        }
    }

    @Test
    void opensUrls() throws IOException {
        try (MemoryStore named = MemoryStore.named("zip-object-read-test")) {
            named.put("x/b.zip", zipped(STORED, STORED));
            URI url = URI.create("memory://zip-object-read-test/x/b.zip/chunks");
            try (ZarrArray array = engine.openArray(url)) {
                assertArrayEquals(chunks.all(), bytes(array, "..."));
            }
        }
    }

    /**
     * Fault: another round trip for the local header, where the directory leaves no room for one
     * that is longer than usual, or where one request can bring both.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 28})
    void readsAChunkByOneRequest(int extraBytes) throws IOException {
        put("a.zip", extraBytes);
        for (SampleArray sample : List.of(chunks, raw)) {
            requests.clear();
            try (ZarrArray array =
                    engine.openArray(store, "a.zip/" + sample.path().getFileName())) {
                assertEquals(2, requests.size(), requests::toString);
                assertArrayEquals(local(sample, "0:10, 0:20"), bytes(array, "0:10, 0:20"));
                assertEquals(3, requests.size(), requests::toString);
                bytes(array, "0:10, 0:20");
                assertEquals(4, requests.size(), requests::toString);
            }
        }
    }

    /** Fault: the index is read for each inner chunk, or one request for each inner chunk. */
    @ParameterizedTest
    @ValueSource(ints = {0, 28})
    void readsInnerChunksTogether(int extraBytes) throws IOException {
        put("a.zip", extraBytes);
        int header = extraBytes == 0 ? 0 : 1; // of the shard, the first time
        try (ZarrArray array = engine.openArray(store, "a.zip/inner/shards")) {
            requests.clear();
            assertArrayEquals(local(shards, "3, 4"), bytes(array, "3, 4"));
            assertEquals(2 + header, requests.size(), requests::toString);
            assertArrayEquals(local(shards, "0:60, 0:100"), bytes(array, "0:60, 0:100"));
            assertEquals(3 + header, requests.size(), requests::toString);
        }
    }

    /** Fault: all of a large chunk is read for a part of it, or its slabs are misplaced. */
    @Test
    void readsAPartOfALargeChunkAlone() throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 600, 1000)
                        .chunkShape(600, 1000)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        SampleArray large = SampleArray.write(engine, root.resolve("large"), metadata);
        put("a.zip", 28);
        for (String selection : List.of("300:310, 5:9", "...", "1:599, ...")) {
            try (ZarrArray array = engine.openArray(store, "a.zip/large")) {
                requests.clear();
                assertArrayEquals(local(large, selection), bytes(array, selection), selection);
                int expected = selection.startsWith("300") ? 2 : 1;
                assertEquals(expected, requests.size(), () -> selection + ": " + requests);
            }
        }
    }

    /** Fault: what a device takes of a chunk is its header too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 28, 5_000})
    void readsToADevice(int extraBytes) throws IOException {
        put("a.zip", extraBytes);
        objects.put("deflated.zip", zipped(DEFLATED, DEFLATED));
        HostMemoryDevices devices = new HostMemoryDevices();
        try (ZarrEngine reading = ZarrEngine.builder().deviceProvider(devices).open()) {
            for (SampleArray sample : List.of(chunks, raw, shards)) {
                assertReadsToADevice(reading, "a.zip/", sample);
            }
            assertReadsToADevice(reading, "deflated.zip/", chunks);
            assertReadsToADevice(reading, "deflated.zip/", raw);
        }
        assertFalse(devices.isLent(), "memory was lent, and not given back");
    }

    private void assertReadsToADevice(ZarrEngine reading, String zip, SampleArray sample) {
        String path = zip + root.relativize(sample.path());
        try (ZarrArray array = reading.openArray(store, path);
                DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join();
                HostTensor copy = tensor.toHost()) {
            assertArrayEquals(sample.all(), copy.segment().toArray(JAVA_BYTE), path);
        }
    }

    /** Fault: reads that learn at once where a shard begins get in each other's way. */
    @Test
    void readsManyCropsAtOnce() throws IOException {
        put("a.zip", 28);
        try (ZarrArray array = engine.openArray(store, "a.zip/inner/shards");
                ZarrArray inFolder = engine.openArray(shards.path())) {
            List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                reads.add(array.readAsync(Selection.of(crop(i))));
            }
            for (int i = 0; i < 100; i++) {
                try (HostTensor tensor = reads.get(i).join()) {
                    assertArrayEquals(
                            bytes(inFolder, crop(i)), tensor.segment().toArray(JAVA_BYTE), crop(i));
                }
            }
        }
    }

    /**
     * Fault: a worker that has as many reads as it can cannot read on what has arrived, and whoever
     * waits for the same index waits forever.
     */
    @Test
    void goesOnWithAllReadsUnderWay() throws IOException {
        put("a.zip", 28);
        try (ZarrArray array = engine.openArray(store, "a.zip/inner/shards")) {
            setHolding(true);
            List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                reads.add(array.readAsync(Selection.of(crop(i % 100))));
            }
            releaseWhenNoMoreCome();
            for (CompletableFuture<HostTensor> read : reads) {
                read.join().close();
            }
        }
    }

    /** Has the store make the reads that it holds, when the workers have begun all they can. */
    private void releaseWhenNoMoreCome() {
        for (int before = -1; before != requests.size(); ) {
            before = requests.size();
            LockSupport.parkNanos(100_000_000);
        }
        objects.read(setHolding(false));
    }

    private static String crop(int i) {
        int y = i * 7 % 100;
        int x = i * 13 % 180;
        return "%d:%d, %d:%d".formatted(y, y + 17, x, x + 20);
    }

    /** Fault: a mixture of two zip files, or the new one is never read. */
    @ParameterizedTest
    @ValueSource(ints = {0, 28})
    void refusesAZipFileThatHasChanged(int extraBytes) throws IOException {
        put("a.zip", 40);
        try (ZarrArray array = engine.openArray(store, "a.zip/chunks");
                ZarrArray known = engine.openArray(store, "a.zip/chunks")) {
            bytes(known, "3, 4");
            put("a.zip", extraBytes);
            for (ZarrArray old : List.of(array, known)) {
                StoreException e = assertThrows(StoreException.class, () -> bytes(old, "3, 4"));
                assertTrue(
                        e.getMessage().startsWith("test://store/a.zip/chunks/c/0/0"),
                        e::getMessage);
                assertTrue(
                        e.getMessage().contains("the object has changed since it was first read"),
                        e::getMessage);
            }
        }
        assertReads("a.zip/chunks", chunks);
        try (ZarrArray array = engine.openArray(store, "a.zip/chunks")) {
            objects.remove("a.zip");
            StoreException e = assertThrows(StoreException.class, () -> bytes(array, "3, 4"));
            assertTrue(e.getMessage().contains("now removed"), e::getMessage);
        }
    }

    /** Fault: the error does not lead to the name that promises a zip file. */
    @Test
    void saysWhenThereIsNoZipFile() throws IOException {
        objects.put("text.zip", "text".getBytes(StandardCharsets.UTF_8));
        for (String zip : List.of("none.zip", "text.zip")) {
            ZarrException e =
                    assertThrows(NodeNotFoundException.class, () -> engine.open(store, zip + "/a"));
            String problem = "/a: is no Zarr node: it holds no zarr.json, .zarray or .zgroup; ";
            String url = "test://store/" + zip;
            assertEquals(url + problem + url + " is missing, or no zip file", e.getMessage());
        }
        byte[] whole = zipped(STORED, STORED);
        objects.put("a.zip", Arrays.copyOf(whole, whole.length - 1));
        StoreException e = assertThrows(StoreException.class, () -> engine.open(store, "a.zip"));
        assertEquals(
                "test://store/a.zip: begins as a zip file, and does not end as one",
                e.getMessage());
    }

    /** Fault: a folder of objects that has such a name is not found any more. */
    @Test
    void readsAFolderWithTheNameOfAZipFile() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                objects.put("folder.zip/" + root.relativize(file), Files.readAllBytes(file));
            }
        }
        assertReadsAll("folder.zip");
    }

    /** Fault: a chunk is taken from where another header is, or one that inflates to too much. */
    @Test
    void refusesDamagedChunks() throws IOException {
        byte[] bytes = spaced(28);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int header = text.indexOf("chunks/c/0/0") - 30;
        byte[] damaged = bytes.clone();
        damaged[header + 32] ^= 1; // its name
        objects.put("a.zip", damaged);
        try (ZarrArray array = engine.openArray(store, "a.zip/chunks")) {
            StoreException e = assertThrows(StoreException.class, () -> bytes(array, "3, 4"));
            assertEquals(
                    "test://store/a.zip/chunks/c/0/0: the zip file is damaged: it is not at byte "
                            + header,
                    e.getMessage());
            bytes(array, "13, 4");
        }
        byte[] swollen = bytes.clone();
        swollen[header + 28] = (byte) 0xff; // the extra field: all but the last of the chunks move
        swollen[header + 29] = (byte) 0xff;
        objects.put("a.zip", swollen);
        try (ZarrArray array = engine.openArray(store, "a.zip/chunks")) {
            assertThrows(ZarrException.class, () -> bytes(array, "3, 4"));
        }
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bomb)) {
            byte[] document = Files.readAllBytes(chunks.path().resolve("zarr.json"));
            ZipFiles.put(out, "zarr.json", document, STORED);
            ZipFiles.put(out, "c/0/0", new byte[100 << 20], DEFLATED);
        }
        objects.put("bomb.zip", bomb.toByteArray());
        try (ZarrArray array = engine.openArray(store, "bomb.zip")) {
            var e = assertThrows(CorruptChunkException.class, () -> bytes(array, "0, 0"));
            assertTrue(
                    e.getMessage().startsWith("test://store/bomb.zip/c/0/0: has 104857600 bytes"),
                    e::getMessage);
        }
    }
}
