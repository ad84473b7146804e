package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.http.TestServer;
import io.zarrengine.http.TestServer.Fault;
import io.zarrengine.http.TestServer.Request;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads arrays from a web server: the number of requests, changes, faults and cancelling. */
final class HttpReadTest {
    @TempDir private Path folder;
    private TestServer server;
    private ZarrEngine engine;
    private SampleArray shards;
    private SampleArray large;
    private SampleArray chunks;
    private byte[] zip; // of all

    @BeforeEach
    void open() throws IOException {
        server = new TestServer();
        engine = ZarrEngine.open();
        shards =
                SampleArray.writeShards(
                        engine,
                        folder.resolve("s"),
                        NumericType.INT16,
                        CodecSpec.bytes(),
                        CodecSpec.gzip(1),
                        CodecSpec.crc32c());
        ArrayMetadata ofLarge = // Its shard is too large to come with its index.
                ArrayMetadata.builder(NumericType.INT64, 200, 200)
                        .chunkShape(200, 200)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {10, 40},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .build();
        large = SampleArray.write(engine, folder.resolve("l"), ofLarge);
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 60, 80)
                        .chunkShape(10, 20)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        chunks = SampleArray.write(engine, folder.resolve("c"), metadata);
        zip = Files.readAllBytes(ZipFiles.zip(folder, folder.resolve("a.zip"), ZipEntry.STORED));
        Files.delete(folder.resolve("a.zip"));
        serve();
    }

    private void serve() throws IOException {
        try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                server.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        server.put("a.zip", zip);
        server.forgetRequests();
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
        server.close();
    }

    private static byte[] bytes(ZarrArray array, String selection) {
        try (HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    private byte[] local(String name, String selection) {
        try (ZarrArray array = engine.openArray(folder.resolve(name))) {
            return bytes(array, selection);
        }
    }

    private List<String> requests() {
        return server.requests().stream().map(r -> r.path() + " " + r.range()).toList();
    }

    /** Fault: a HEAD request, a listing, or a second read of the index. */
    @Test
    void opensAndReadsAnInnerChunkInThreeRoundTrips() {
        try (ZarrArray array = engine.openArray(server.url("l"))) {
            assertArrayEquals(local("l", "3, 4"), bytes(array, "3, 4"));
            assertEquals(3, server.requests().size(), () -> requests().toString());
            assertEquals("l/c/0/0 bytes=-1604", requests().get(1));
            Request chunk = server.requests().getLast();
            assertTrue(chunk.headers().containsKey("if-match"), "it must be of the same version");
            bytes(array, "13, 4");
            assertEquals(4, server.requests().size(), "the index is known");
        }
    }

    /** Fault: the index of a small shard is asked for alone. */
    @Test
    void opensAndReadsASmallShardInTwoRoundTrips() {
        try (ZarrArray array = engine.openArray(server.url("s"))) {
            assertArrayEquals(local("s", "3, 4"), bytes(array, "3, 4"));
            assertEquals(2, server.requests().size(), () -> requests().toString());
        }
    }

    @Test
    void readsAChunkByOneRequest() {
        try (ZarrArray array = engine.openArray(server.url("c"))) {
            assertArrayEquals(local("c", "3, 4"), bytes(array, "3, 4"));
            assertEquals(2, server.requests().size(), () -> requests().toString());
        }
    }

    /** Fault: a request for the directory's end, a local header, or of any version. */
    @Test
    void opensAndReadsAnInnerChunkOfAZipFileInFourRoundTrips() {
        try (ZarrArray array = engine.openArray(server.url("a.zip/s"))) {
            assertArrayEquals(local("s", "3, 4"), bytes(array, "3, 4"));
        }
        assertEquals(4, server.requests().size(), () -> requests().toString());
        assertEquals("a.zip bytes=-131072", requests().get(0));
        for (Request request : server.requests().subList(1, 4)) {
            assertTrue(request.headers().containsKey("if-match"), "it must be of the same version");
        }
    }

    /** Fault: the chunks of an old zip file are read from a new one. */
    @Test
    void noticesAZipFileThatChanges() throws IOException {
        for (boolean honoursIfMatch : List.of(true, false)) {
            if (!honoursIfMatch) {
                server.ignoringIfMatch();
            }
            for (String name : List.of("s", "c")) {
                try (ZarrArray array = engine.openArray(server.url("a.zip/" + name))) {
                    serve(); // All objects have new ETags now.
                    var e = assertThrows(StoreException.class, () -> bytes(array, "13, 4"));
                    assertTrue(e.getMessage().contains("has changed"), e::getMessage);
                    assertTrue(e.getMessage().contains(server.url("a.zip/" + name).toString()));
                }
                try (ZarrArray array = engine.openArray(server.url("a.zip/" + name))) {
                    assertArrayEquals(local(name, "13, 4"), bytes(array, "13, 4"));
                }
            }
        }
    }

    /** Fault: one of many reads of the same shards gets wrong bytes, or reads the index again. */
    @Test
    void readsManyCropsAtOnce() {
        try (ZarrArray array = engine.openArray(server.url("s"));
                ZarrArray local = engine.openArray(folder.resolve("s"))) {
            List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                reads.add(array.readAsync(Selection.of(crop(i))));
            }
            for (int i = 0; i < 300; i++) {
                try (HostTensor tensor = reads.get(i).join()) {
                    assertArrayEquals(
                            bytes(local, crop(i)), tensor.segment().toArray(JAVA_BYTE), crop(i));
                }
            }
        }
        String whole = "bytes=0-12483";
        assertEquals(4, requests().stream().filter(r -> r.endsWith(whole)).count());
    }

    private static String crop(int i) {
        int y = i * 7 % 100;
        int x = i * 13 % 180;
        return y + ":" + (y + 17) + ", " + x + ":" + (x + 20);
    }

    /** Fault: a part is lost or read twice when each first request for it fails. */
    @Test
    void deliversAllWhenEachRequestFailsOnce() {
        for (Fault fault : List.of(Fault.RESET, Fault.SHORT_BODY, Fault.STATUS_503)) {
            server.failOnce(fault);
            for (String name : List.of("s", "l", "c", "a.zip/s", "a.zip/c")) {
                try (ZarrArray array = engine.openArray(server.url(name))) {
                    assertArrayEquals(sample(name).all(), bytes(array, "..."), fault + " " + name);
                }
            }
        }
    }

    private SampleArray sample(String name) {
        return switch (name.charAt(name.length() - 1)) {
            case 's' -> shards;
            case 'l' -> large;
            default -> chunks;
        };
    }

    @Test
    void takesWholeObjectsOfAServerThatIgnoresRanges() {
        for (Fault fault : List.of(Fault.WHOLE, Fault.NO_LENGTH)) {
            server.faults(request -> fault);
            for (String name : List.of("s", "l", "a.zip/s")) {
                try (ZarrArray array = engine.openArray(server.url(name))) {
                    assertArrayEquals(sample(name).all(), bytes(array, "..."));
                }
            }
        }
    }

    /** Fault: an inner chunk of a new shard is found by the old index. */
    @Test
    void noticesAShardThatChangesBetweenIndexAndChunk() throws IOException {
        List<Runnable> servers = List.of(() -> {}, server::withWeakEtags, server::ignoringIfMatch);
        for (Runnable change : servers) {
            change.run();
            for (String name : List.of("s", "l")) {
                try (ZarrArray array = engine.openArray(server.url(name))) {
                    bytes(array, "3, 4");
                    serve(); // All objects have new ETags now.
                    var e = assertThrows(StoreException.class, () -> bytes(array, "13, 4"));
                    assertTrue(e.getMessage().contains("has changed"), e::getMessage);
                    assertTrue(e.getMessage().contains(server.url(name + "/c/0/0").toString()));
                    assertArrayEquals(local(name, "13, 4"), bytes(array, "13, 4"), "it is new");
                }
            }
        }
    }

    @Test
    void fillsInForMissingObjects() {
        server.remove("s/c/0/0");
        server.remove("c/c/0/0");
        for (String name : List.of("s", "c")) {
            try (ZarrArray array = engine.openArray(server.url(name))) {
                byte[] fill = array.metadata().fillValue();
                assertArrayEquals(fill, bytes(array, "3, 4"));
            }
        }
    }

    /** Fault: the message does not lead to the URL, the range, the status and the tries. */
    @Test
    void saysWhatFailed() {
        try (ZarrArray array = engine.openArray(server.url("l"))) {
            int before = server.requests().size();
            server.faults(_ ->
                    server.requests().size() == before + 1
                            ? Fault.STATUS_503
                            : Fault.RETRY_TOO_LATE);
            var e = assertThrows(StoreException.class, () -> bytes(array, "3, 4"));
            for (String part :
                    List.of(
                            server.url("l/c/0/0").toString(),
                            "shard index",
                            "status 503",
                            "bytes=-1604",
                            "2 tries in ")) {
                assertTrue(e.getMessage().contains(part), e::getMessage);
            }
        }
        server.faults(request -> Fault.NONE);
        var e =
                assertThrows(
                        NodeNotFoundException.class, () -> engine.openArray(server.url("none")));
        assertTrue(e.getMessage().startsWith(server.url("none").toString()), e::getMessage);
    }

    /** Fault: a cancelled read waits for a server that does not answer, or the engine does. */
    @Test
    void cancelsRequests() throws Exception {
        for (String name : List.of("s", "l", "c", "a.zip/s")) {
            try (ZarrArray array = engine.openArray(server.url(name))) {
                server.forgetRequests();
                server.faults(request -> Fault.STALL);
                CompletableFuture<HostTensor> read = array.readAsync(Selection.of("..."));
                while (server.requests().isEmpty()) {
                    Thread.sleep(1);
                }
                read.cancel(false);
                assertThrows(CancellationException.class, () -> read.get(9, TimeUnit.SECONDS));
                server.faults(request -> Fault.NONE);
                String inFolder = name.substring(name.length() - 1);
                assertArrayEquals(local(inFolder, "..."), bytes(array, "..."));
            }
        }
    }

    /** Fault: the engine waits for the deadline of a store before it closes. */
    @Test
    void closesWhileRequestsAreUnderWay() throws Exception {
        ZarrArray array = engine.openArray(server.url("s"));
        server.faults(request -> Fault.STALL);
        CompletableFuture<HostTensor> read = array.readAsync(Selection.of("..."));
        while (server.requests().size() < 2) {
            Thread.sleep(1);
        }
        engine.close();
        assertThrows(CompletionException.class, read::join);
        for (int i = 0; i < 500 && server.openConnections() > 0; i++) {
            Thread.sleep(10);
        }
        assertEquals(0, server.openConnections());
    }

    @Test
    void readsGroupsThroughConsolidatedMetadata() throws IOException {
        String member = Files.readString(folder.resolve("s/zarr.json"));
        String group =
                "{\"zarr_format\": 3, \"node_type\": \"group\", \"consolidated_metadata\": {\"kind\":"
                        + " \"inline\", \"must_understand\": false, \"metadata\": {\"s\": "
                        + member
                        + "}}}";
        server.put("zarr.json", group.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ZarrGroup opened = (ZarrGroup) engine.open(URI.create(server.url("").toString()));
        assertEquals(List.of("s"), opened.names());
        try (ZarrArray array = (ZarrArray) opened.open("s")) {
            assertEquals(1, server.requests().size());
            assertArrayEquals(local("s", "3, 4"), bytes(array, "3, 4"));
            assertFalse(array.path().toString().endsWith("/"));
        }
    }
}
