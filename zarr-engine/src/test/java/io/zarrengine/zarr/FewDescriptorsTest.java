package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arrays with more chunk files than the process may open. Each worker keeps files attached to its
 * ring. Fails if it keeps so many that the next file cannot be opened.
 */
@Tag("other-jvm")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FewDescriptorsTest {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final int ARRAYS = 3;
    private static final int CHUNKS = 300;

    @TempDir private Path folder;

    @Test
    void readsMoreFilesThanTheProcessMayOpen() throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT), "prlimit is not installed");
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open()) {
            ArrayMetadata metadata =
                    ArrayMetadata.builder(NumericType.UINT8, CHUNKS).chunkShape(1).build();
            for (int i = 0; i < ARRAYS; i++) {
                engine.createArray(folder.resolve("array" + i), metadata)
                        .writeAll((_, elements) -> elements.fill((byte) 1));
            }
        }
        List<String> said =
                OtherJvm.run(
                        List.of(PRLIMIT.toString(), "--nofile=160:160"),
                        List.of("--enable-native-access=ALL-UNNAMED", "-XX:-MaxFDLimit"),
                        _ -> true,
                        Reader.class,
                        folder);
        assertEquals(
                Integer.toString(4 * ARRAYS * CHUNKS), OtherJvm.resultOf(said), said::toString);
    }

    /** Main class of the other JVM. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) {
            long sum = 0;
            for (ZarrEngine.Io io : List.of(ZarrEngine.Io.AUTO, ZarrEngine.Io.CHANNEL)) {
                try (ZarrEngine engine = ZarrEngine.builder().workers(3).io(io).open()) {
                    for (int i = 0; i < 2 * ARRAYS; i++) {
                        Path path = Path.of(arguments[0], "array" + i % ARRAYS);
                        sum += sum(engine.openArray(path)); // not closed: it keeps its files
                    }
                }
            }
            OtherJvm.printResult(sum);
        }

        private static long sum(ZarrArray array) {
            long sum = 0;
            try (HostTensor tensor = array.read(Selection.all())) {
                for (byte element : tensor.segment().toArray(ValueLayout.JAVA_BYTE)) {
                    sum += element;
                }
            }
            return sum;
        }
    }
}
