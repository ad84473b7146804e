package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tensors and loaders that are never closed. Fails if their memory leaks, is freed while it is in
 * use, or if the leak is not logged.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ForgottenTensorTest {
    private static final int ROW_BYTES = 300_000;
    private static final int ROWS = 40;
    private static final int TENSORS = 400;

    @TempDir private Path folder;

    @BeforeEach
    void write() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, ROWS, ROW_BYTES)
                        .chunkShape(1, ROW_BYTES)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(folder.resolve("a"), metadata)
                    .writeAll((chunk, elements) -> elements.fill((byte) chunk[0]));
        }
    }

    @Tag("other-jvm")
    @Test
    void freesForgottenTensorsAndLogsOnce() throws Exception {
        List<String> said = said("-Dio.zarrengine.leaks=off");
        assertEquals(1, warnings(said).count(), said::toString);
        assertTrue(
                said.stream().anyMatch(line -> line.contains("-Dio.zarrengine.leaks=on names")),
                said::toString);
    }

    @Tag("other-jvm")
    @Test
    void namesWhereEachForgottenTensorWasMade() throws Exception {
        List<String> said = said("-Dio.zarrengine.leaks=on");
        assertTrue(warnings(said).count() >= TENSORS, () -> "only " + warnings(said).count());
        assertTrue(said.stream().anyMatch(line -> line.contains("Forgetful.main")), said::toString);
    }

    private static Stream<String> warnings(List<String> said) {
        return said.stream().filter(line -> line.contains(" was not closed: "));
    }

    /**
     * Returns what a process logs that forgets many tensors, and checks that their memory is freed.
     */
    private List<String> said(String option) throws Exception {
        List<String> options = List.of(option, "--enable-native-access=ALL-UNNAMED", "-Xmx256m");
        List<String> said = OtherJvm.run(List.of(), options, _ -> true, Forgetful.class, folder);
        assertTrue(said.contains("freed"), said::toString);
        return said;
    }

    /** Main class of the other JVM. */
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] arguments) throws Exception {
            ZarrEngine engine = ZarrEngine.builder().workers(2).open();
            ZarrArray array = engine.openArray(Path.of(arguments[0], "a"));
            array.read(Selection.of("0")).close();
            long before = mapped();
            forget(array);
            array.close();
            engine.close(); // so that its own memory is not counted
            for (int i = 0; i < 200 && mapped() > before; i++) {
                System.gc();
                Thread.sleep(50);
            }
            IO.println(mapped() <= before ? "freed" : "left: " + (mapped() - before) + " KiB");
        }

        private static void forget(ZarrArray array) throws Exception {
            for (int i = 0; i < TENSORS; i++) {
                array.read(Selection.of(String.valueOf(i % ROWS)));
                array.read(Selection.of(i % ROWS + ", :5000")); // shares a block with others
            }
            for (int i = 0; i < 5; i++) {
                array.readAsync(Selection.of("1:9")).get();
                var steps =
                        Loader.of(
                                        array,
                                        Sampler.of(List.of(Selection.of("0"), Selection.of("1:4"))))
                                .open();
                steps.iterator().next();
            }
        }

        /** Returns the mapped memory in KiB. Java's heap has its size from the start. */
        private static long mapped() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/smaps_rollup")).stream()
                    .filter(line -> line.startsWith("Private_Dirty:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    /** The sizes share a block with others, or have memory of their own. */
    @ParameterizedTest
    @ValueSource(ints = {100, 70_000, ROW_BYTES})
    void aSliceKeepsTheMemoryOfAForgottenOne(int bytes) throws Exception {
        List<MemorySegment> kept = new ArrayList<>();
        try (ZarrEngine engine = ZarrEngine.builder().workers(2).open();
                ZarrArray array = engine.openArray(folder.resolve("a"))) {
            for (int row = 0; row < ROWS; row++) {
                kept.add(slice(array, row, bytes));
                if (row % 8 == 7) { // A collection takes longer than all these reads.
                    System.gc();
                    for (int i = 0; i < 8; i++) { // would get the freed memory
                        slice(array, 3, bytes);
                        array.read(Selection.of("5, :" + bytes)).close();
                    }
                }
            }
            Thread.sleep(50);
            assertHold(kept);
        }
        System.gc();
        assertHold(kept);
    }

    private static MemorySegment slice(ZarrArray array, int row, int bytes) {
        return array.read(Selection.of(row + ", :" + bytes)).segment().asSlice(1, bytes - 2);
    }

    private static void assertHold(List<MemorySegment> kept) {
        for (int row = 0; row < ROWS; row++) {
            MemorySegment slice = kept.get(row);
            byte[] expected = new byte[(int) slice.byteSize()];
            Arrays.fill(expected, (byte) row);
            assertArrayEquals(expected, slice.toArray(JAVA_BYTE), "row " + row);
        }
    }
}
