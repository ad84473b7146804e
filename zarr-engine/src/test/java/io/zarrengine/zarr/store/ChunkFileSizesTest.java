package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sizes of the files that reads find. Fails if links hide some of them. */
final class ChunkFileSizesTest {
    @TempDir private Path folder;

    @Test
    void followsLinks() throws IOException {
        Path array = Files.createDirectory(folder.resolve("a"));
        Path chunks = Files.createDirectory(folder.resolve("on another disk"));
        Files.write(chunks.resolve("0"), new byte[3]);
        Files.write(chunks.resolve("x"), new byte[4]);
        Files.createSymbolicLink(array.resolve("c"), chunks);
        Files.createSymbolicLink(array.resolve("loop"), array);
        Path link = Files.createSymbolicLink(folder.resolve("link"), array);
        ChunkFileSizes expected = new ChunkFileSizes(2, 7, 1, 0);
        assertEquals(expected, ChunkFileSizes.of(array, "c/0"::equals));
        assertEquals(expected, ChunkFileSizes.of(link, "c/0"::equals));
    }
}
