package io.zarrengine.zarr.reference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads random arrays with all features of the format to a GPU and to the host, and compares.
 * {@link ReferenceReaderTest} compares the host's path with the reference reader.
 */
@Tag("gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class DeviceReferenceTest {
    private static final int SELECTIONS = 3;

    /** A seed that once failed: a filter shuffles the elements, and blosc does not. */
    private static final long FOUND = 42393846048L;

    @TempDir private Path folder;

    private ZarrEngine engine;

    static LongStream seeds() {
        Long replayed = Long.getLong("io.zarrengine.seed");
        long fresh = System.nanoTime();
        return replayed != null
                ? LongStream.of(replayed)
                : Stream.of(
                                LongStream.range(0, 150),
                                LongStream.of(FOUND),
                                LongStream.range(fresh, fresh + 10))
                        .flatMapToLong(part -> part);
    }

    @BeforeAll
    void open() {
        DeviceEngines.needDevice();
        engine = DeviceEngines.open();
    }

    @AfterAll
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsAsTheHostDoes(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RandomStore store = RandomStore.write(folder.resolve("seed" + seed), random);
        if (store.array().type().isVariable()) {
            return;
        }
        try (ZarrArray array = engine.openArray(store.folder())) {
            for (int i = 0; i < SELECTIONS; i++) {
                RandomSelection selection = RandomSelection.next(store.array(), random);
                try (HostTensor expected = array.read(selection.selection());
                        DeviceTensor tensor =
                                array.readAsync(selection.selection(), Target.cuda(0)).join();
                        HostTensor actual = tensor.toHost()) {
                    assertTrue(tensor.hostReason().isEmpty());
                    assertArrayEquals(
                            expected.segment().toArray(JAVA_BYTE),
                            actual.segment().toArray(JAVA_BYTE),
                            () -> selection.selection() + " of " + store.document());
                }
            }
        }
    }
}
