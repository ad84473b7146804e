package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the source tree, which a test that runs from a bundle does not have. */
final class ProjectFiles {
    private ProjectFiles() {}

    /** Returns a file or folder of the project; skips the test where the tree is not there. */
    static Path find(String name) {
        Path root = Path.of(System.getProperty("io.zarrengine.project", ".."));
        Path found = root.resolve(name);
        assumeTrue(Files.exists(found), () -> found + " is not there");
        return found;
    }
}
