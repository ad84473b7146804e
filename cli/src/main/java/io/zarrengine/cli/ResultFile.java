package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.store.AtomicFile;
import io.zarrengine.zarr.store.LeftoverFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes results to files. A file appears completely or not at all; pipes and devices are written
 * directly.
 */
final class ResultFile {
    /** The format with a header. */
    static final String NPY = ".npy";

    /** The elements alone. */
    static final String RAW = ".raw";

    /** Elements of variable length, as one flat list. */
    static final String JSON = ".json";

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

    /** The limit of Linux: path_resolution(7). */
    private static final int LINKS_MAX = 40;

    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Files that are being written; deleted when the process is ended. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    private static final LeftoverFiles LEFT = new LeftoverFiles();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ResultFile::deleteUnfinished));
    }

    private ResultFile() {}

    /**
     * Checks an output before anything is read: its ending and its folder.
     *
     * @param endings allowed endings of the file's name
     */
    static void check(Path file, String... endings) throws IOException {
        if (Stream.of(endings).noneMatch(file.toString()::endsWith)) {
            throw new IllegalArgumentException(
                    "the output " + file + " does not end in " + String.join(" or ", endings));
        }
        Path absolute = file.toAbsolutePath();
        if (URL.matcher(file.toString()).matches() && !Files.isDirectory(absolute.getParent())) {
            throw new IllegalArgumentException(
                    "the output " + file + " is a URL: results are written to files only");
        }
        if (!Files.isDirectory(absolute.getParent())) {
            throw new FileSystemException(
                    absolute.getParent().toString(), null, "there is no such folder");
        }
        if (Files.isDirectory(absolute)) {
            throw new FileSystemException(absolute.toString(), null, "is a folder");
        }
    }

    /** Writes a result in the format given by the file's name. */
    static void write(Path file, HostTensor tensor) throws IOException {
        boolean elementsAlone = file.toString().endsWith(RAW);
        replace(
                file,
                out -> {
                    if (elementsAlone) {
                        NpyWriter.writeElements(tensor, out);
                    } else {
                        NpyWriter.write(tensor, out);
                    }
                });
    }

    /**
     * Replaces a file: writes a temporary file beside it and then moves that. A pipe or a device is
     * written directly.
     */
    static void replace(Path file, Content content) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                write(file, content);
            } else {
                writeBeside(endOfLinks(file), content);
            }
        } catch (
                IOException e) { // It may name the temporary file, which means nothing to the user.
            FileSystemException named =
                    new FileSystemException(file.toString(), null, StoreException.problem(e));
            named.initCause(e);
            throw named;
        }
    }

    /** Returns the target of a link, existing or not. */
    private static Path endOfLinks(Path file) throws IOException {
        Path end = file.toAbsolutePath();
        for (int i = 0; i < LINKS_MAX && Files.isSymbolicLink(end); i++) {
            end = end.resolveSibling(Files.readSymbolicLink(end));
        }
        return end;
    }

    private static void writeBeside(Path place, Content content) throws IOException {
        AtomicFile.write(
                place,
                LEFT,
                beside -> {
                    UNFINISHED.add(beside); // If the write fails, AtomicFile deletes the file.
                    write(beside, content);
                },
                beside -> {
                    Files.move(beside, place, StandardCopyOption.REPLACE_EXISTING);
                    UNFINISHED.remove(beside);
                });
    }

    private static void write(Path file, Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            content.writeTo(out);
        }
    }

    static void deleteUnfinished() {
        for (Path file : UNFINISHED) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The process ends; nothing can report this.
            }
        }
    }
}
