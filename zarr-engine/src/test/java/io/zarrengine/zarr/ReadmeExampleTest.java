package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the README and of the guide compile, and the programs print what the page says.
 */
@Tag("other-jvm")
final class ReadmeExampleTest {
    private static final String BEGIN = "```java\n";
    private static final Path PROJECT = Path.of(System.getProperty("io.zarrengine.project", ".."));
    private static final Path README = PROJECT.resolve("README.md");
    private static final Path GUIDE = PROJECT.resolve("docs/guide");

    @TempDir Path folder;

    @Test
    void runsTheExampleOfTheReadme() throws Exception {
        writeArray();
        String output = run(README);
        assertTrue(output.contains("float32[60, 240] begins with 28800.0"), output);
    }

    @Test
    void runsTheExampleOfReading() throws Exception {
        writeArray();
        String output = run(GUIDE.resolve("reading.md"));
        assertTrue(output.contains("m s**-1"), output);
        assertTrue(output.contains("last value 462719.0"), output);
    }

    @Test
    void runsTheExampleOfTraining() throws Exception {
        writeArray();
        String output = run(GUIDE.resolve("loader.md"));
        assertTrue(output.contains("the last one: float32[32, 1, 1, 64, 64]"), output);
        assertTrue(output.contains("go on at {\"epoch\":0,\"sample\":3200}"), output);
    }

    @Test
    void runsTheExampleOfWriting() throws Exception {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        String output = run(GUIDE.resolve("writing.md"));
        assertTrue(output.contains("float32[20, 240, 480]"), output);
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(folder.resolve("new.zarr"));
                HostTensor last = array.read(Selection.of("-1, -1, -1"))) {
            assertEquals(251, last.segment().get(ValueLayout.JAVA_FLOAT, 0));
        }
    }

    @Test
    void runsTheExampleOfACodec() throws Exception {
        Path array = Files.createDirectories(folder.resolve("secret.zarr/c")).getParent();
        Files.writeString(
                array.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [3], "data_type": "uint8",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3]}},
                 "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
                 "codecs": ["bytes", {"name": "example.xor", "configuration": {"key": 7}}]}
                """);
        Files.write(array.resolve("c/0"), new byte[] {7 ^ 1, 7 ^ 2, 7 ^ 3});
        String output = run(GUIDE.resolve("extending.md"));
        assertTrue(output.contains("uint8[3]"), output);
    }

    @Test
    void compilesAllExamples() throws IOException {
        assumeSources(GUIDE);
        List<Path> pages;
        try (Stream<Path> files = Files.list(GUIDE)) {
            pages = Stream.concat(Stream.of(README), files.sorted()).toList();
        }
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", classPath()));
        arguments.addAll(List.of("-d", folder.resolve("classes").toString()));
        for (Path page : pages) {
            String name = page.getFileName().toString().replace(".md", "");
            List<String> examples = examples(page);
            for (int i = 0; i < examples.size(); i++) {
                String example = examples.get(i);
                Path source = folder.resolve(name + i + ".java");
                Files.writeString(source, program(example));
                arguments.add(source.toString());
            }
        }
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int status =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(out, out, arguments.toArray(String[]::new));
        assertEquals(0, status, said.toString());
    }

    /** Returns a program; some examples are a part of a method. */
    private static String program(String example) {
        if (example.contains("void main()")) {
            return example;
        }
        return """
        import static java.lang.foreign.ValueLayout.*;

        import io.zarrengine.zarr.*;
        import io.zarrengine.zarr.datatype.*;
        import io.zarrengine.zarr.loader.*;
        import io.zarrengine.zarr.metadata.*;
        import io.zarrengine.zarr.transform.*;
        import java.lang.foreign.*;

        void example(ZarrEngine engine, ZarrArray array) throws Exception {
        %s
        }

        void main() {}
        """
                .formatted(example);
    }

    private static List<String> examples(Path page) throws IOException {
        return Arrays.stream(Files.readString(page).split(BEGIN, -1))
                .skip(1)
                .map(text -> text.substring(0, text.indexOf("```")))
                .toList();
    }

    private static void assumeSources(Path page) {
        boolean compiles = ModuleLayer.boot().findModule("jdk.compiler").isPresent();
        assumeTrue(Files.exists(page) && compiles, "needs the documents and a JDK");
    }

    /** Returns the output of the first example of a page. */
    private String run(Path page) throws Exception {
        assumeSources(page);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(folder.resolve("Example.java"), examples(page).getFirst());
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                OtherJvm.QUICKLY,
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

    /** Writes an array of the real one's shape, whose elements count up. */
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

    /** Returns the class path, or the module path in its place. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        return modules + ":" + System.getProperty("java.class.path");
    }
}
