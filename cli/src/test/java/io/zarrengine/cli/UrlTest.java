package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands take URLs where they take paths. */
final class UrlTest {
    private static final String ARRAY = "memory://url-test/a b";

    @TempDir private Path folder;
    private final MemoryStore store = MemoryStore.named("url-test");

    @BeforeEach
    void write() throws IOException {
        try (ZarrEngine engine = ZarrEngine.open()) {
            ArrayMetadata metadata =
                    ArrayMetadata.builder(NumericType.UINT8, 4, 6).chunkShape(2, 3).build();
            ArrayWriter writer = engine.createArray(folder.resolve("a b"), metadata);
            writer.writeAll((chunk, elements) -> elements.fill((byte) (chunk[0] + chunk[1])));
        }
        store.putAll(folder);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void informs() {
        String out = CommandRun.of("info", ARRAY).succeeded();
        assertTrue(out.startsWith(ARRAY), out);
    }

    @Test
    void readsAndRenders() throws IOException {
        Path file = folder.resolve("x.raw");
        CommandRun.of("read", ARRAY, "--slice", "1, :", "--output", file.toString()).succeeded();
        byte[] row = Files.readAllBytes(file);
        assertEquals(6, row.length);
        assertEquals(1, row[3]);
        Path picture = folder.resolve("x.png");
        CommandRun.of("render", ARRAY, "--slice", "...", "--output", picture.toString())
                .succeeded();
        assertTrue(Files.size(picture) > 0);
    }

    /** Fault: a folder that cannot be used is found out late, or is not named. */
    @Test
    void refusesACacheInAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        String shown =
                CommandRun.of("read", ARRAY, "--output=-", "--disk-cache=" + file + ":1G").err();
        assertTrue(shown.contains(file + ": is not a folder"), shown);
    }

    /** Fault: a bad URL ends in a stack trace, or shows the password in it. */
    @Test
    void refusesBadUrls() {
        String shown = CommandRun.of("info", "http://me:s3cret@[x/a").err();
        assertTrue(shown.contains("not a URL"), shown);
        assertTrue(!shown.contains("s3cret"), shown);
        for (String url : List.of("s3://", "http:///a")) { // A variable is not set, for example.
            shown = CommandRun.of("info", url).err();
            assertTrue(shown.contains("not a URL: expected scheme://host/path"), shown);
        }
    }
}
