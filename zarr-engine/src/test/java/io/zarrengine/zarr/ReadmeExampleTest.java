package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the README compile, run and say what they should. */
final class ReadmeExampleTest {
    private static final String BEGIN = "```java\n";

    @TempDir Path folder;

    @Test
    void theExampleOfReadingRuns() throws Exception {
        writeArray();
        String output = run(0);
        assertTrue(output.contains("float32[60, 240] begins with 28800.0"), output);
        assertTrue(output.contains("last value 694079.0"), output);
    }

    @Test
    void theExampleOfTrainingRuns() throws Exception {
        writeArray();
        String output = run(1);
        assertTrue(output.contains("the last one: float32[32, 1, 1, 64, 64]"), output);
    }

    @Test
    void theExampleOfWritingRuns() throws Exception {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        String output = run(2);
        assertTrue(output.contains("float32[20, 240, 480]"), output);
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder.resolve("new.zarr"));
                HostTensor last = array.read(Selection.of("-1, -1, -1"))) {
            assertEquals(251, last.segment().get(ValueLayout.JAVA_FLOAT, 0));
        }
    }

    /** What the example of that number says. */
    private String run(int number) throws Exception {
        Path readme = Path.of(System.getProperty("io.zarrengine.project", ".."), "README.md");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        boolean compiles = ModuleLayer.boot().findModule("jdk.compiler").isPresent();
        assumeTrue(Files.exists(readme) && compiles, "needs the README and a JDK");
        String example = Files.readString(readme).split(BEGIN, -1)[number + 1];
        Files.writeString(
                folder.resolve("Example.java"), example.substring(0, example.indexOf("```")));
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath(),
                                "Example.java")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** An array of the shape of the real one, whose elements count up. */
    private void writeArray() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.FLOAT32, 2, 3, 241, 480)
                        .codecs(List.of(CodecSpec.bytes()))
                        .attributes(Map.of("units", "m s**-1"))
                        .build();
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open()) {
            engine.createArray(folder.resolve("era-interim.zarr/u"), metadata)
                    .writeAll((chunk, elements) -> {
                        for (int i = 0; i < elements.byteSize() / Float.BYTES; i++) {
                            elements.setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
                        }
                    });
        }
    }

    /** The class path, or the module path as one. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        return modules + ":" + System.getProperty("java.class.path");
    }
}
