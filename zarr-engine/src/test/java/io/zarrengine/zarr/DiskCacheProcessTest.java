package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.RemoteArray.Kind;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes use one disk cache, and some are killed. */
@Tag("other-jvm")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DiskCacheProcessTest {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    private static final String STORES = "stores";

    @TempDir private Path folder;
    private SampleArray sample;

    @BeforeEach
    void write() throws IOException {
        sample = new RemoteArray(folder.resolve(STORES)).write(Kind.LARGE_SHARDS);
    }

    private static CountedStore store(Path folder, int number) throws IOException {
        MemoryStore objects = MemoryStore.create();
        objects.putAll(folder.resolve(STORES).resolve(Kind.LARGE_SHARDS.toString()));
        return new CountedStore(objects, "test://" + number);
    }

    private static ZarrEngine open(Path folder) {
        return ZarrEngine.builder().workers(2).diskCache(folder.resolve("cache"), 1L << 30).open();
    }

    private Process start(Class<?> main, String said) throws Exception {
        return OtherJvm.start(
                List.of(), List.of(NATIVE), _ -> true, main, folder, folder.resolve(said));
    }

    private void assertEnds(Process process, String said) throws Exception {
        assertTrue(process.waitFor(300, TimeUnit.SECONDS), "the other JVM does not end");
        List<String> lines = Files.readAllLines(folder.resolve(said));
        assertEquals(0, process.exitValue(), lines::toString);
    }

    /** Reads arrays of many names, each twice, and compares each with the first one. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            byte[] expected = null;
            try (ZarrEngine engine = open(folder)) {
                for (int i = 0; i < 8; i++) {
                    CountedStore store = store(folder, i / 2);
                    byte[] found = RemoteArray.read(engine, store, "...");
                    expected = expected == null ? found : expected;
                    if (!Arrays.equals(expected, found)) {
                        throw new IllegalStateException("array " + i + " differs");
                    }
                }
                long failures = engine.metrics().diskCache().failures();
                if (failures > 0) {
                    throw new IllegalStateException(failures + " failures");
                }
            }
        }
    }

    /** Fault: two processes that write the same objects at once read mixed or half blocks. */
    @Test
    void severalProcessesReadAndWriteAtOnce() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(start(Reader.class, "said" + i));
        }
        for (int i = 0; i < 3; i++) {
            assertEnds(processes.get(i), "said" + i);
        }
        assertNothingIsWrong();
    }

    /** Reads the arrays of all names, of which no block may be damaged. */
    private void assertNothingIsWrong() throws IOException {
        try (ZarrEngine engine = open(folder)) {
            for (int i = 0; i < 4; i++) {
                byte[] found = RemoteArray.read(engine, store(folder, i), "...");
                assertArrayEquals(sample.all(), found);
            }
            assertEquals(0, engine.metrics().diskCache().failures());
        }
    }

    /** Reads new arrays all the time, so that it is killed in the middle of writing them. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            for (int i = 0; ; i++) {
                try (ZarrEngine engine = open(folder)) {
                    RemoteArray.read(engine, store(folder, i), "...");
                }
            }
        }
    }

    /** Fault: what a killed process has not written to the end is read. */
    @Test
    void killedProcessesLeaveNothingWrong() throws Exception {
        for (int i = 0; i < 4; i++) {
            Process process = start(Writer.class, "said");
            try {
                for (int wait = 0; wait < 6000 && !hasBegun(folder.resolve("cache/v1")); wait++) {
                    Thread.sleep(5);
                }
                Thread.sleep(11L * i); // At different moments of its first arrays.
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertNothingIsWrong();
            deleteAll(folder.resolve("cache"));
        }
    }

    private static boolean hasBegun(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return false;
        }
        try (Stream<Path> folders = Files.list(root)) {
            return folders.anyMatch(Files::isDirectory);
        }
    }

    private static void deleteAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Reads with a limit on the size of files, beyond which writes fail in the middle. */
    static final class OnFullDisk {
        private OnFullDisk() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            byte[] expected;
            try (ZarrEngine engine = ZarrEngine.open()) {
                expected = RemoteArray.read(engine, store(folder, 0), "...");
            }
            try (ZarrEngine engine = open(folder)) {
                for (int i = 0; i < 3; i++) {
                    byte[] found = RemoteArray.read(engine, store(folder, 0), "...");
                    if (!Arrays.equals(expected, found)) {
                        throw new IllegalStateException("pass " + i + " differs");
                    }
                }
                OtherJvm.printResult(engine.metrics().diskCache().failures());
            }
        }
    }

    /** Fault: a write that ends in the middle fails a read, or what it left is believed. */
    @Test
    void readsGoOnWhenTheDiskIsFull() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT), "prlimit is not installed");
        List<String> said =
                OtherJvm.run(
                        List.of(PRLIMIT.toString(), "--fsize=300000:300000"),
                        List.of(NATIVE, "-XX:-UsePerfData"),
                        _ -> true,
                        OnFullDisk.class,
                        folder);
        assertTrue(Integer.parseInt(OtherJvm.resultOf(said)) > 0, said::toString);
        assertNothingIsWrong();
    }
}
