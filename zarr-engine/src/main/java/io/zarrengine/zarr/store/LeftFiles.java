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
 * What writers that were killed left beside the places of their files: it is deleted by who writes
 * to the same folder later. A folder is looked at once. Threads: any.
 */
public final class LeftFiles {
    /** Nobody takes so long for a file between two writes to it. */
    private static final Duration AGE_MIN = Duration.ofHours(1);

    /** Of more folders, one may be looked at again: writers stay in a folder for long. */
    private static final int FOLDERS_MAX = 1024;

    private final Set<Path> seen = new HashSet<>(); // guarded by this

    /** Has looked at no folder yet. */
    public LeftFiles() {}

    /**
     * Deletes what was left in a folder, unless it was looked at before. What cannot be deleted
     * stays: it is in nobody's way.
     *
     * @param fresh a file there that was written now: by its time, the file system's own, others
     *     are old
     */
    void deleteBeside(Path fresh) {
        Path folder = fresh.getParent();
        if (!isNew(folder)) {
            return;
        }
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, file -> WholeFile.isBeside(nameOf(file)))) {
            Instant old = Files.getLastModifiedTime(fresh).toInstant().minus(AGE_MIN);
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | RuntimeException _) {
            // Another writer may be at it too.
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
