package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The document of a new node is there as a whole or not at all, and never replaces another one.
 * Fails if a crash or a race leaves a part of a document.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NewDocumentTest {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final int ROUNDS = 50;
    private static final int THREADS = 4;

    @TempDir private Path folder;

    private static GroupMetadata group(String attribute) {
        return new GroupMetadata(Map.of("a", attribute));
    }

    /** A folder with this name would be taken for a file. */
    @ParameterizedTest
    @CsvSource({
        "new.ozx, new.ozx",
        "new.ZIP, new.ZIP",
        "new.zarr.zip/0, new.zarr.zip",
        "a/new.zip/b/c, a/new.zip",
    })
    void refusesToCreateAZipFileAsAFolder(String name, String zip) {
        try (ZarrEngine engine = ZarrEngine.open()) {
            Path path = folder.resolve(name);
            StoreException e =
                    assertThrows(StoreException.class, () -> engine.createGroup(path, group("a")));
            assertEquals(
                    folder.resolve(zip)
                            + ": zip files cannot be written yet, only read: write a folder, and"
                            + " pack it with zip -0",
                    e.getMessage());
            assertFalse(Files.exists(folder.resolve(path.getName(folder.getNameCount()))));
        }
    }

    @Test
    void createsNodesInAFolderThatIsNamedAsAZipFile() throws IOException {
        try (ZarrEngine engine = ZarrEngine.open()) {
            Path path = Files.createDirectory(folder.resolve("old.zip")).resolve("g");
            engine.createGroup(path, group("a"));
            assertTrue(Files.exists(path.resolve("zarr.json")));
        }
    }

    @Test
    void refusesToCreateNodesInAZipFile() throws IOException {
        Path file = Files.write(folder.resolve("old.zip"), new byte[] {1});
        try (ZarrEngine engine = ZarrEngine.open()) {
            StoreException e =
                    assertThrows(
                            StoreException.class,
                            () -> engine.createGroup(file.resolve("g"), group("a")));
            assertTrue(e.getMessage().contains("zip files cannot be written yet"), e::getMessage);
        }
        assertArrayEquals(new byte[] {1}, Files.readAllBytes(file));
    }

    /** All threads see that there is no node yet. */
    @Test
    void createsANodeOnceForManyThreads() throws Exception {
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int round = 0; round < ROUNDS; round++) {
                Path path = folder.resolve("g" + round);
                CyclicBarrier start = new CyclicBarrier(THREADS);
                List<Callable<Integer>> tries =
                        IntStream.range(0, THREADS)
                                .<Callable<Integer>>mapToObj(thread ->
                                        () -> {
                                            start.await();
                                            return created(engine, path, thread) ? thread : -1;
                                        })
                                .toList();
                int winner = -1;
                int created = 0;
                for (Future<Integer> made : threads.invokeAll(tries)) {
                    if (made.get() >= 0) {
                        winner = made.get();
                        created++;
                    }
                }
                assertEquals(1, created, "nodes at " + path);
                assertEquals(
                        Map.of("a", Integer.toString(winner)), engine.openGroup(path).attributes());
                assertEquals(List.of("zarr.json"), files(path));
            }
        }
    }

    private static boolean created(ZarrEngine engine, Path path, int thread) {
        try {
            engine.createGroup(path, group(Integer.toString(thread)));
            return true;
        } catch (StoreException e) {
            assertTrue(e.getMessage().contains("already"), e::getMessage);
            return false;
        }
    }

    private static List<String> files(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** A process with a file size limit stands for a full disk. */
    @Tag("other-jvm")
    @Test
    void leavesNothingWhenTheDiskIsFull() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT), "prlimit is not installed");
        List<String> said =
                OtherJvm.run(
                        List.of(PRLIMIT.toString(), "--fsize=1000000"),
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        _ -> true,
                        Creator.class,
                        folder);
        assertEquals("refused", said.getLast(), said::toString);
        assertArrayEquals(new String[0], folder.resolve("g").toFile().list());
    }

    /** Main class of the other JVM. */
    static final class Creator {
        private Creator() {}

        public static void main(String[] arguments) {
            try (ZarrEngine engine = ZarrEngine.builder().workers(1).open()) {
                engine.createGroup(Path.of(arguments[0], "g"), group("x".repeat(2_000_000)));
            } catch (StoreException e) {
                IO.println(e.getMessage());
                IO.println("refused");
            }
        }
    }
}
