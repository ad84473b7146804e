package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The archives of {@code conformance/}, unpacked once in a JVM, which deletes them when it ends.
 */
public final class ConformanceArchives {
    private static final Map<String, List<Path>> UNPACKED = new ConcurrentHashMap<>();

    private ConformanceArchives() {}

    /**
     * {@return the folders of all cases, sorted; skips the test if the tree is missing}
     *
     * @param kind {@code good} or {@code bad}
     */
    public static List<Path> unpacked(String kind) {
        Path root = Path.of(System.getProperty("io.zarrengine.project", ".."));
        Path archives = root.resolve("conformance").resolve(kind);
        assumeTrue(Files.isDirectory(archives), () -> archives + " is not there");
        return UNPACKED.computeIfAbsent(kind, _ -> unpackAll(archives));
    }

    private static List<Path> unpackAll(Path archives) {
        try (Stream<Path> files = Files.list(archives)) {
            Path target = Files.createTempDirectory("conformance");
            target.toFile().deleteOnExit();
            for (Path archive : files.toList()) {
                String name = archive.getFileName().toString().replaceFirst("[.]zip$", "");
                unpack(archive, target.resolve(name));
            }
            try (Stream<Path> folders = Files.list(target)) {
                return folders.sorted().toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpack(Path archive, Path folder) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                Path file = folder.resolve(entry.getName());
                createFolder(file.getParent());
                try (InputStream content = zip.getInputStream(entry)) {
                    Files.copy(content, file);
                }
                file.toFile().deleteOnExit();
            }
        }
    }

    /** The folder that was made last is deleted first. */
    private static void createFolder(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            createFolder(folder.getParent());
            Files.createDirectory(folder);
            folder.toFile().deleteOnExit();
        }
    }
}
