package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Files that appear whole or not at all: they are written beside their place, and then put there.
 */
public final class WholeFile {
    private static final String BESIDE = ".part";
    private static final Pattern NAME = Pattern.compile(".*\\.[0-9a-f-]{36}\\.part");

    private WholeFile() {}

    /** A part of the work, with the file that lies beside. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it.
         *
         * @param beside the file
         * @throws IOException if it cannot be done
         */
        void run(Path beside) throws IOException;
    }

    /**
     * {@return whether a file lies beside the place that it is for, or was left there by a process
     * that ended}
     *
     * @param name the file's
     */
    static boolean isBeside(String name) {
        return name.endsWith(BESIDE) && NAME.matcher(name).matches();
    }

    /**
     * Writes a file; nothing is left beside it, unless the process is killed.
     *
     * @param file its place; the folder is made if it is not there
     * @param left knows in which folders nothing is left of others
     * @param content writes the file beside, which is not there yet
     * @param place puts it in its place
     * @throws IOException of a step, or of the folder
     */
    public static void write(Path file, LeftFiles left, Step content, Step place)
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
