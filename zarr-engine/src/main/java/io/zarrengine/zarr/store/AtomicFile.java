package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Writes files that appear complete or not at all. They are written to a temporary file beside
 * their place, then moved or linked into place.
 */
public final class AtomicFile {
    private static final String BESIDE = ".part";
    private static final Pattern NAME = Pattern.compile(".*\\.[0-9a-f-]{36}\\.part");

    private AtomicFile() {}

    /** A step of the work on the temporary file. */
    @FunctionalInterface
    public interface Step {
        /**
         * Runs the step.
         *
         * @param beside the temporary file
         * @throws IOException if the step fails
         */
        void run(Path beside) throws IOException;
    }

    /**
     * {@return whether a file is a temporary file of a writer, which may have ended}
     *
     * @param name the name of the file
     */
    static boolean isBeside(String name) {
        return name.endsWith(BESIDE) && NAME.matcher(name).matches();
    }

    /**
     * Writes a file. The temporary file is deleted, unless the process is killed.
     *
     * @param file the file to write; its folder is created if missing
     * @param left deletes the temporary files that killed writers left in the folder
     * @param content writes the temporary file, which does not exist yet
     * @param place moves or links it into place
     * @throws IOException if a step fails, or the folder cannot be created
     */
    public static void write(Path file, LeftoverFiles left, Step content, Step place)
            throws IOException {
        Files.createDirectories(file.getParent());
        Path beside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + BESIDE);
        try {
            content.run(beside);
            left.deleteBeside(beside);
            place.run(beside);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
