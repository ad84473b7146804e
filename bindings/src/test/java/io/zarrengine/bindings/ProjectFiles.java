package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the source tree, which is missing when tests run from a bundle. */
final class ProjectFiles {
    private ProjectFiles() {}

    /** Returns a file or folder of the project; skips the test if the tree is missing. */
    static Path find(String name) {
        Path root = Path.of(System.getProperty("io.zarrengine.project", ".."));
        Path found = root.resolve(name);
        assumeTrue(Files.exists(found), () -> found + " is not there");
        return found;
    }
}
