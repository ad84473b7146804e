package io.zarrengine.uring.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the example of this module's README compiles, runs and prints the expected text. */
@Tag("other-jvm")
final class ReadmeExampleTest {
    @TempDir Path folder;

    @Test
    void theExampleRuns() throws Exception {
        Path project = Path.of(System.getProperty("io.zarrengine.project", ".."));
        Path readme = project.resolve("io-uring/README.md");
        boolean compiles = ModuleLayer.boot().findModule("jdk.compiler").isPresent();
        assumeTrue(Files.exists(readme) && compiles, "needs the README and a JDK");
        String text = Files.readString(readme);
        int from = text.indexOf("```java\n") + "```java\n".length();
        Files.writeString(
                folder.resolve("Example.java"), text.substring(from, text.indexOf("```", from)));
        Files.createDirectory(folder.resolve("data"));
        for (int i = 0; i < 10; i++) {
            byte[] content = new byte[2_000_000];
            new SplittableRandom(i).nextBytes(content);
            Files.write(folder.resolve("data/part" + i), content);
        }
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                "-XX:TieredStopAtLevel=1", // The process is short-lived.
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath(),
                                "Example.java")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.contains("1000000 ranges in 80 reads"), output);
        assertTrue(output.contains("same bytes: true"), output);
    }

    /** Returns the class path, or the module path in its place. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        return modules + ":" + System.getProperty("java.class.path");
    }
}
