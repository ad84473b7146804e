package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sizes of the files that reads find. Fails if links hide some of them, lead to files of others
 * or keep the search from ending.
 */
final class ChunkFileSizesTest {
    @TempDir private Path folder;

    private Path array() throws IOException {
        return Files.createDirectories(folder.resolve("a"));
    }

    @Test
    void followsLinks() throws IOException {
        Path array = array();
        Path chunks = Files.createDirectory(folder.resolve("on another disk"));
        Files.write(chunks.resolve("0"), new byte[3]);
        Files.write(chunks.resolve("8"), new byte[4]);
        Files.write(chunks.resolve("x"), new byte[5]);
        Files.createSymbolicLink(array.resolve("c"), chunks);
        Files.createSymbolicLink(array.resolve("loop"), array);
        Path link = Files.createSymbolicLink(folder.resolve("link"), array);
        ChunkFileSizes expected = new ChunkFileSizes(2, 7, 1, 0);
        assertEquals(expected, ChunkFileSizes.of(array, 1, "c/0"::equals));
        assertEquals(expected, ChunkFileSizes.of(link, 1, "c/0"::equals));
    }

    @Test
    void countsNoFilesOfOthers() throws IOException {
        Path array = array();
        for (String file :
                new String[] {
                    "c/0/0", "c/0/00", "c/00/1", "c/0/1/2", "c/c/3", "d/c/0/4", "0", "c.5"
                }) {
            Files.createDirectories(array.resolve(file).getParent());
            Files.write(array.resolve(file), new byte[3]);
        }
        Files.createSymbolicLink(array.resolve("all"), Path.of("/proc"));
        Files.createSymbolicLink(array.resolve("above"), Path.of(".."));
        assertEquals(new ChunkFileSizes(1, 3, 0, 0), ChunkFileSizes.of(array, 2, "c/0/0"::equals));
    }

    /** The folders of 12 dimensions have names that keys contain, and 12! paths. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endsAmongFoldersThatLinkToEachOther() throws IOException {
        Path chunks = Files.createDirectory(array().resolve("c"));
        int rank = 12;
        for (int i = 0; i < rank; i++) {
            Path from = Files.createDirectory(chunks.resolve(Integer.toString(i)));
            for (int j = 0; j < rank; j++) {
                Files.createSymbolicLink(from.resolve(Integer.toString(j)), Path.of("../" + j));
            }
            Files.createSymbolicLink(from.resolve("12"), Path.of("../.."));
            Files.createSymbolicLink(from.resolve("13"), Path.of("/"));
        }
        assertEquals(new ChunkFileSizes(0, 0, 0, 0), ChunkFileSizes.of(array(), rank, _ -> true));
    }
}
