package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.MachineCodeLz77;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM without the libraries that are optional, and without native access: reads say what is
 * missing, and no array is begun that could not be written. Java looks for a missing class when it
 * verifies one that names it, before any code of that one runs.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MissingLibrariesTest {
    private static final List<String> LIBRARIES =
            List.of("aircompressor", "commons-compress", "xz");
    private static final List<String> NATIVE_OFF = List.of("-Dio.zarrengine.native=off");
    private static final List<String> CODECS =
            List.of("zstd", "numcodecs.lz4", "numcodecs.bz2", "numcodecs.lzma", "gzip");

    @TempDir private Path folder;

    @Test
    void areNamed() throws Exception {
        for (String codec : CODECS) {
            writeArray(codec, new byte[] {4, 0, 0, 0, 4, 5, 6, 7});
        }
        List<String> said = said(NATIVE_OFF, LIBRARIES, Reader.class);
        assertEquals(CODECS.size(), said.size(), said::toString);
        assertTrue(said.get(0).contains("no aircompressor-v3"), said::toString);
        assertTrue(said.get(2).contains("commons-compress is not there"), said::toString);
        assertTrue(said.get(3).contains("xz (org.tukaani) is not there"), said::toString);
        for (int missing : new int[] {0, 2, 3}) { // The chunk may be good.
            assertTrue(said.get(missing).contains("DecoderMissingException"), said::toString);
        }
        for (int ours : new int[] {1, 4}) { // We have that ourselves, or Java has.
            assertTrue(said.get(ours).contains("CorruptChunkException"), said::toString);
        }
        assertTrue(said.get(1).contains("lz4"), said::toString);
        assertTrue(said.get(4).contains("gzip"), said::toString);
    }

    @Test
    void refuseArraysThatNeedThemToBeWritten() throws Exception {
        List<String> said = said(NATIVE_OFF, List.of(), Creator.class);
        assertEquals(4, said.size(), said::toString);
        assertTrue(said.get(0).endsWith("cannot be written, only read: zstd"), said::toString);
        assertTrue(said.get(1).endsWith("writing zstd is not possible"), said::toString);
        assertTrue(said.get(2).endsWith("cannot be written, only read: lz4"), said::toString);
        assertTrue(said.get(3).endsWith("writing lz4 is not possible"), said::toString);
        assertFalse(Files.exists(folder.resolve("zstd")));
        assertFalse(Files.exists(folder.resolve("lz4")));
    }

    /** Our machine code decodes it: what it refuses is damaged, whoever is there to say more. */
    @Test
    void aDamagedSnappyChunkDoesNotMissOne() throws Exception {
        assumeTrue(
                MachineCodeLz77.denial().isEmpty(), () -> MachineCodeLz77.denial().orElseThrow());
        byte[] chunk = {
            2, 1, 0x50, 1, 4, 0, 0, 0, 4, 0, 0, 0, 27, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 4, 1, 9
        };
        writeArray("blosc", chunk);
        List<String> said = said(List.of(), LIBRARIES, Reader.class);
        assertEquals(1, said.size(), said::toString);
        assertTrue(said.getFirst().contains("CorruptChunkException"), said::toString);
        assertTrue(said.getFirst().contains("snappy: damaged"), said::toString);
    }

    /** Nobody asked for the slow way: who did is not told. */
    @Test
    void aDenialIsLoggedOnceWithTheFlagToAdd() throws Exception {
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

    /** What the other JVM runs. */
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

    /** Returns what a JVM without some jars says of the folder. */
    private List<String> said(List<String> options, List<String> without, Class<?> main)
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

    /** What the other JVM runs. */
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

    /** Of the arrays in a folder. */
    private static List<String> codecs(Path folder) {
        return Stream.concat(CODECS.stream(), Stream.of("blosc"))
                .filter(codec -> Files.exists(folder.resolve(codec)))
                .toList();
    }

    /** What the other JVM runs. */
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
