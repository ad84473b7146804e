package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a web server are counted, where a caller and a user of the command see them. */
final class RequestNumbersTest {
    private static final int CHUNKS = 3;

    @TempDir private Path folder;
    private FolderServer server;

    @BeforeEach
    void serve() throws IOException {
        SmallArrays.counting(folder.resolve("a"), new long[] {CHUNKS * 4L}, new long[] {4});
        server = new FolderServer(folder);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private long chunkBytes() throws IOException {
        long bytes = 0;
        for (int i = 0; i < CHUNKS; i++) {
            bytes += Files.size(folder.resolve("a/c/" + i));
        }
        return bytes;
    }

    /** Fault: the engine's sum misses a store, or is lost when the engine is closed. */
    @Test
    void theEngineSumsThemUp() throws IOException {
        ZarrEngine engine = ZarrEngine.open();
        try (engine;
                ZarrArray array = engine.openArray(URI.create(server.url("a")))) {
            RequestMetrics opened = engine.metrics().stores();
            assertEquals(server.requests(), opened.requests());
            server.failNext();
            array.read(Selection.all()).close();
            RequestMetrics read = engine.metrics().stores().since(opened);
            assertEquals(CHUNKS + 1, read.requests());
            assertEquals(CHUNKS + 1, read.answers());
            assertEquals(1, read.retries());
            assertEquals(chunkBytes(), read.bytes());
            assertTrue(read.firstByteNanos() > 0 && read.queuedNanos() > 0, read.toString());
            assertEquals(0, read.inFlight() + read.queued());
        }
        assertEquals(server.requests(), engine.metrics().stores().requests());
    }

    /** Fault: the requests of the second pass, for the checksum, are counted too. */
    @Test
    void benchShowsThem() throws IOException {
        Path slices = Files.writeString(folder.resolve("slices"), "...\n");
        String out =
                CommandRun.of("bench", server.url("a"), "--slices", slices, "--json").succeeded();
        Map<?, ?> json = JsonText.object(out);
        assertEquals((long) CHUNKS, json.get("requests"));
        assertEquals(0L, json.get("retries"));
        assertEquals(chunkBytes(), json.get("received_bytes"));
        assertTrue((Double) json.get("first_byte_ms") > 0);
        assertTrue((Double) json.get("queued_ms") > 0);
    }

    /** Fault: an answer has the requests of the lines before it. */
    @Test
    void answersShowTheirOwn() throws IOException {
        String first = ReadRequestsTest.line(Path.of("A"), "0:5", folder.resolve("1.raw"));
        String second = ReadRequestsTest.line(Path.of("A/no"), "", folder.resolve("2.raw"));
        Path lines =
                Files.writeString(
                        folder.resolve("lines"),
                        (first + "\n" + second + "\n").replace("\"A", "\"" + server.url("a")));
        CommandRun run = CommandRun.of("read", "--requests", lines);
        List<String> answers = run.out().lines().toList();
        Map<?, ?> served = JsonText.object(answers.get(0));
        assertEquals(true, served.get("ok"));
        Map<?, ?> refused = JsonText.object(answers.get(1));
        assertEquals(false, refused.get("ok"));
        assertTrue((Long) refused.get("requests") > 0, run.out());
        assertEquals(
                server.requests(), (Long) served.get("requests") + (Long) refused.get("requests"));
    }
}
