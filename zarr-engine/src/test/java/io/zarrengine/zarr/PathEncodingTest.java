package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders whose names do not use the encoding of the locale. Fails if their chunks read as missing.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PathEncodingTest {
    private static final byte[] ELEMENTS = {1, 2, 3, 4, 5, 6};

    @TempDir private Path folder;

    /** Writes arrays with names in UTF-8 and in Latin-1. */
    private void writeArrays() throws IOException {
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.UINT8, 6).chunkShape(3).build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createGroup(folder.resolve("arrays"), new GroupMetadata(Map.of()));
            for (String rawName : List.of("M%C3%BCller", "caf%E9")) {
                Path path = Path.of(URI.create(folder.toUri() + "arrays/" + rawName));
                engine.createArray(path, metadata)
                        .writeAll((chunk, elements) -> {
                            for (int i = 0; i < 3; i++) {
                                byte element = ELEMENTS[(int) chunk[0] * 3 + i];
                                elements.set(ValueLayout.JAVA_BYTE, i, element);
                            }
                        });
            }
        }
    }

    @Test
    void areReadAsTheyWereListed() throws Exception {
        writeArrays();
        assertEquals(8, Reader.read(folder));
    }

    @Tag("other-jvm")
    @Test
    void areReadInAnAsciiLocale() throws Exception {
        writeArrays();
        List<String> said =
                OtherJvm.run(
                        List.of("/usr/bin/env", "LC_ALL=C"),
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        _ -> true,
                        Reader.class,
                        folder);
        assertEquals("ANSI_X3.4-1968 8", OtherJvm.resultOf(said), said::toString);
    }

    /** Main class of the other JVM. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            int arrays = read(Path.of(arguments[0]));
            OtherJvm.printResult(System.getProperty("sun.jnu.encoding") + " " + arrays);
        }

        static int read(Path folder) throws IOException {
            int arrays = 0;
            for (ZarrEngine.Io io : List.of(ZarrEngine.Io.AUTO, ZarrEngine.Io.CHANNEL)) {
                try (ZarrEngine engine = ZarrEngine.builder().workers(1).io(io).open();
                        Stream<Path> entries = Files.list(folder.resolve("arrays"))) {
                    for (Path path : entries.filter(Files::isDirectory).toList()) {
                        check(engine.openArray(path));
                        arrays++;
                    }
                    ZarrGroup group = engine.openGroup(folder.resolve("arrays"));
                    for (String name : group.names()) {
                        check((ZarrArray) group.open(name));
                        arrays++;
                    }
                }
            }
            return arrays;
        }

        private static void check(ZarrArray opened) {
            try (ZarrArray array = opened;
                    HostTensor tensor = array.read(Selection.all())) {
                byte[] read = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
                assertArrayEquals(ELEMENTS, read, array::toString);
            }
        }
    }
}
