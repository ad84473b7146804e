package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The machine code is that of the source as it is now: else run bin/machine-code. */
final class MachineCodeTest {
    @Test
    void theCodeWasAssembledFromThisSource() throws IOException, InterruptedException {
        Path script = ProjectFiles.find("bin/machine-code");
        assumeTrue(hasTools() || "true".equals(System.getenv("CI")), "no gcc or no binutils");
        Process process =
                new ProcessBuilder(script.toString(), "--check").redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    private static boolean hasTools() {
        return Stream.of("gcc", "as", "ld", "objcopy")
                .allMatch(tool -> Files.isExecutable(Path.of("/usr/bin", tool)));
    }
}
