package io.zarrengine.zarr.reference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.VariableLengthTensor;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random arrays with all features of the format, written by an encoder of these tests, and read by
 * the engine and by {@link ReferenceArray}. Fails if the two differ for a random selection.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT) // where that is enabled
final class ReferenceReaderTest {
    private static final int SELECTIONS = 3;

    private Path folder; // of all cases, which may run at once
    private ZarrEngine engine;

    /**
     * {@code -Dio.zarrengine.cases=N} takes N arrays, the last tenth of them of fresh seeds; {@code
     * -Dio.zarrengine.seed=N} replays one.
     */
    static LongStream seeds() {
        Long replayed = Long.getLong("io.zarrengine.seed");
        if (replayed != null) {
            return LongStream.of(replayed);
        }
        long cases = Long.getLong("io.zarrengine.cases", 300);
        long fresh = System.nanoTime();
        return LongStream.concat(
                LongStream.range(0, cases - cases / 10),
                LongStream.range(fresh, fresh + cases / 10));
    }

    @BeforeAll
    void open(@TempDir Path folder) {
        this.folder = folder;
        engine = ZarrEngine.builder().budgetBytes(1L << 30).open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsAsTheReferenceDoes(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RandomStore store = RandomStore.write(folder.resolve("seed" + seed), random);
        byte[][] expected = store.array().read(store.folder());
        try (ZarrArray array = engine.openArray(store.folder())) {
            for (int i = 0; i < SELECTIONS; i++) {
                compare(array, store, expected, RandomSelection.next(store.array(), random));
            }
        }
        delete(store.folder());
    }

    /** Deletes a folder at once, because thousands of cases leave tens of thousands of files. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void compare(
            ZarrArray array, RandomStore store, byte[][] elements, RandomSelection selection) {
        List<byte[]> expected =
                selection.positions().stream()
                        .map(at -> elements[Shapes.index(at, store.array().shape())])
                        .toList();
        String message = selection.selection() + " of " + store.document();
        assertArrayEquals(selection.shape(), array.shapeOf(selection.selection()), message);
        if (!store.array().type().isVariable()) {
            // Small reads stay on the calling thread, so half of them go to the workers here.
            boolean byWorkers = selection.positions().size() % 2 == 0;
            try (HostTensor tensor =
                    byWorkers
                            ? array.readAsync(selection.selection()).join()
                            : array.read(selection.selection())) {
                byte[] actual = tensor.segment().toArray(JAVA_BYTE);
                assertArrayEquals(joined(expected), actual, message);
            }
            return;
        }
        try (VariableLengthTensor tensor = array.readVariableLength(selection.selection())) {
            byte[][] actual = new byte[(int) tensor.size()][];
            for (int i = 0; i < actual.length; i++) {
                actual[i] = tensor.bytes(i);
            }
            assertArrayEquals(expected.toArray(byte[][]::new), actual, message);
        }
    }

    private static byte[] joined(List<byte[]> elements) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        elements.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
