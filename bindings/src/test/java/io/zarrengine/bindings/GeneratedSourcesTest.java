package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the generated bindings come from the current headers; otherwise run generate.sh. */
final class GeneratedSourcesTest {
    @Test
    void theHeadersAreThoseThatTheBindingsWereGeneratedFrom() throws Exception {
        Path headers = ProjectFiles.find("native-headers");
        List<String> recorded =
                Files.readAllLines(ProjectFiles.find("bindings/src/generated/sources.sha256"));
        try (Stream<Path> files = Files.walk(headers)) {
            List<String> now =
                    files.filter(GeneratedSourcesTest::isSource)
                            .map(file -> hash(file) + "  " + headers.relativize(file))
                            .sorted((a, b) -> a.substring(66).compareTo(b.substring(66)))
                            .toList();
            assertEquals(
                    String.join("\n", recorded),
                    String.join("\n", now),
                    "run native-headers/generate.sh");
        }
    }

    private static boolean isSource(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".h") || name.equals("includes.txt") || name.equals("generate.sh");
    }

    private static String hash(Path file) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
        } catch (java.io.IOException | java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(file.toString(), e);
        }
    }
}
