package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.DecoderMissingException;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
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
 * A JVM without the optional libraries and without native access: reads name the missing library,
 * and an array that cannot be written is not begun. Java looks for a missing class when it verifies
 * a class that names it, before any code of that class runs.
 */
@Tag("other-jvm")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MissingLibrariesTest {
    private static final List<String> LIBRARIES =
            List.of("aircompressor", "commons-compress", "xz");
    private static final List<String> NATIVE_OFF = List.of("-Dio.zarrengine.native=off");
    private static final List<String> CODECS =
            List.of("zstd", "numcodecs.lz4", "numcodecs.bz2", "numcodecs.lzma", "gzip");

    @TempDir private Path folder;

    @Test
    void areNamedInTheError() throws Exception {
        for (String codec : CODECS) {
            writeArray(codec, new byte[] {4, 0, 0, 0, 4, 5, 6, 7});
        }
        List<String> printed = printed(NATIVE_OFF, LIBRARIES, Reader.class);
        assertEquals(CODECS.size(), printed.size(), printed::toString);
        assertTrue(printed.get(0).contains("no aircompressor-v3"), printed::toString);
        assertTrue(printed.get(2).contains("commons-compress is not there"), printed::toString);
        assertTrue(printed.get(3).contains("xz (org.tukaani) is not there"), printed::toString);
        for (int missing : new int[] {0, 2, 3}) { // The chunk may be good.
            assertTrue(printed.get(missing).contains("DecoderMissingException"), printed::toString);
        }
        for (int ours : new int[] {1, 4}) { // The engine or Java decodes these without a library.
            assertTrue(printed.get(ours).contains("CorruptChunkException"), printed::toString);
        }
        assertTrue(printed.get(1).contains("lz4"), printed::toString);
        assertTrue(printed.get(4).contains("gzip"), printed::toString);
    }

    @Test
    void refuseNewArraysThatNeedThem() throws Exception {
        List<String> printed = printed(NATIVE_OFF, List.of(), Creator.class);
        assertEquals(4, printed.size(), printed::toString);
        assertTrue(
                printed.get(0).endsWith("cannot be written, only read: zstd"), printed::toString);
        assertTrue(printed.get(1).endsWith("writing zstd is not possible"), printed::toString);
        assertTrue(printed.get(2).endsWith("cannot be written, only read: lz4"), printed::toString);
        assertTrue(printed.get(3).endsWith("writing lz4 is not possible"), printed::toString);
        assertFalse(Files.exists(folder.resolve("zstd")));
        assertFalse(Files.exists(folder.resolve("lz4")));
    }

    /**
     * The engine's machine code decodes Snappy, so a chunk that it refuses is damaged, whatever
     * libraries are missing.
     */
    @Test
    void aDamagedSnappyChunkIsCorruptWithoutThem() throws Exception {
        assumeTrue(
                MachineCodeLz77.denial().isEmpty(), () -> MachineCodeLz77.denial().orElseThrow());
        byte[] chunk = {
            2, 1, 0x50, 1, 4, 0, 0, 0, 4, 0, 0, 0, 27, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 4, 1, 9
        };
        writeArray("blosc", chunk);
        List<String> printed = printed(List.of(), LIBRARIES, Reader.class);
        assertEquals(1, printed.size(), printed::toString);
        assertTrue(printed.getFirst().contains("CorruptChunkException"), printed::toString);
        assertTrue(printed.getFirst().contains("snappy: damaged"), printed::toString);
    }

    /** The message is logged only if the user did not ask for channels. */
    @Test
    void deniedNativeAccessIsLoggedOnceWithTheFlagToAdd() throws Exception {
        writeArray("gzip", new byte[] {4, 0, 0, 0, 4, 5, 6, 7});
        List<String> denied = logged("--illegal-native-access=deny");
        assertEquals(1, denied.size(), denied::toString);
        assertTrue(
                denied.getFirst().endsWith("add --enable-native-access=ALL-UNNAMED"),
                denied::toString);
        assertEquals(List.of(), logged("-Dio.zarrengine.native=off"));
        assertEquals(List.of(), logged("--enable-native-access=ALL-UNNAMED"));
    }

    private List<String> logged(String option) throws Exception {
        return OtherJvm.run(List.of(), List.of(option), _ -> true, TwoEngines.class, folder)
                .stream()
                .filter(line -> line.contains("FileChannel"))
                .toList();
    }

    /** Main class of the other JVM. */
    static final class TwoEngines {
        private TwoEngines() {}

        public static void main(String[] arguments) {
            Reader.main(arguments);
            Reader.main(arguments);
        }
    }

    private void writeArray(String codec, byte... chunk) throws IOException {
        Path array = Files.createDirectories(folder.resolve(codec));
        Files.writeString(array.resolve("zarr.json"), document(codec));
        Files.createDirectory(array.resolve("c"));
        Files.write(array.resolve("c/0"), chunk);
    }

    /** Returns the lines about the folder that a JVM without some jars prints. */
    private List<String> printed(List<String> options, List<String> without, Class<?> main)
            throws Exception {
        return OtherJvm.run(
                        List.of(),
                        options,
                        jar -> without.stream().noneMatch(jar::startsWith),
                        main,
                        folder)
                .stream()
                .filter(line -> line.startsWith(": "))
                .toList();
    }

    private static String document(String codec) {
        return """
        {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
         "chunk_key_encoding": "default", "fill_value": 0,
         "codecs": ["bytes", {"name": "%s", "configuration": {}}]}
        """
                .formatted(codec);
    }

    /** Main class of the other JVM. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) {
            try (ZarrEngine engine = ZarrEngine.open()) {
                for (String codec : codecs(Path.of(arguments[0]))) {
                    try (ZarrArray array = engine.openArray(Path.of(arguments[0], codec))) {
                        array.read(Selection.all()).close();
                        IO.println(": nothing was missing");
                    } catch (CorruptChunkException | DecoderMissingException e) {
                        IO.println(": " + e);
                    }
                }
            }
        }
    }

    /** Returns the codecs of the arrays in a folder. */
    private static List<String> codecs(Path folder) {
        return Stream.concat(CODECS.stream(), Stream.of("blosc"))
                .filter(codec -> Files.exists(folder.resolve(codec)))
                .toList();
    }

    /** Main class of the other JVM. */
    static final class Creator {
        private Creator() {}

        public static void main(String[] arguments) {
            try (ZarrEngine engine = ZarrEngine.open()) {
                for (String codec : List.of("zstd", "lz4")) {
                    CodecSpec compressor = new CodecSpec("numcodecs." + codec, Map.of());
                    ArrayMetadata metadata =
                            ArrayMetadata.builder(NumericType.UINT8, 4)
                                    .codecs(List.of(CodecSpec.bytes(), compressor))
                                    .build();
                    try {
                        engine.createArray(Path.of(arguments[0], codec), metadata);
                        IO.println(": nothing was missing");
                    } catch (FormatException e) {
                        IO.println(": " + e.getMessage());
                    }
                    Capability.all().stream()
                            .filter(found -> found.name().equals("lib" + codec))
                            .forEach(found -> IO.println(": " + found.detail()));
                }
            }
        }
    }
}
