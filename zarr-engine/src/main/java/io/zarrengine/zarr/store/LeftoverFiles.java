package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Deletes temporary files left by killed writers. A later writer to the same folder deletes them,
 * and each folder is checked once. Threads: any.
 */
public final class LeftoverFiles {
    /** Minimum age of a file to delete. No writer pauses this long between two writes to a file. */
    private static final Duration AGE_MIN = Duration.ofHours(1);

    /**
     * Maximum number of remembered folders. Beyond it, a folder may be checked again, which is rare
     * because writers stay in a folder for long.
     */
    private static final int FOLDERS_MAX = 1024;

    private final Set<Path> seen = new HashSet<>(); // guarded by this

    /** Creates an instance that has checked no folder. */
    public LeftoverFiles() {}

    /**
     * Deletes the temporary files left in a folder, unless the folder was checked before. Files
     * that cannot be deleted stay, which is harmless.
     *
     * @param fresh a file in the folder that was just written; the age of other files is measured
     *     against its modification time
     */
    void deleteBeside(Path fresh) {
        Path folder = fresh.getParent();
        if (!isNew(folder)) {
            return;
        }
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, file -> AtomicFile.isBeside(nameOf(file)))) {
            Instant old = Files.getLastModifiedTime(fresh).toInstant().minus(AGE_MIN);
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | RuntimeException _) {
            // Another writer may delete the same files.
        }
    }

    private synchronized boolean isNew(Path folder) {
        if (seen.size() >= FOLDERS_MAX) {
            seen.clear();
        }
        return seen.add(folder);
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString();
    }
}
