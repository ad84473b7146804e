package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.store.LeftFiles;
import io.zarrengine.zarr.store.WholeFile;
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

/** Puts results into files. A file appears whole or not at all, but a pipe or a device. */
final class ResultFile {
    /** With a header. */
    static final String NPY = ".npy";

    /** The elements alone. */
    static final String RAW = ".raw";

    /** Elements of variable length, as one flat list. */
    static final String JSON = ".json";

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

    /** As Linux: path_resolution(7). */
    private static final int LINKS_MAX = 40;

    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Files that are being written: a process that is ended takes them along. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    private static final LeftFiles LEFT = new LeftFiles();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ResultFile::deleteUnfinished));
    }

    private ResultFile() {}

    /**
     * Refuses what could not be written once everything is read.
     *
     * @param endings what the file's name may end in
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

    /** Writes a result in the format that the file's name asks for. */
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

    /** Writes a file: beside its place, and then there; a pipe or a device at once. */
    static void replace(Path file, Content content) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                write(file, content);
            } else {
                writeBeside(endOfLinks(file), content);
            }
        } catch (IOException e) { // It may name the file beside, which means nothing to the user.
            FileSystemException named =
                    new FileSystemException(file.toString(), null, StoreException.problem(e));
            named.initCause(e);
            throw named;
        }
    }

    /** The file that a link leads to, be it there or not. */
    private static Path endOfLinks(Path file) throws IOException {
        Path end = file.toAbsolutePath();
        for (int i = 0; i < LINKS_MAX && Files.isSymbolicLink(end); i++) {
            end = end.resolveSibling(Files.readSymbolicLink(end));
        }
        return end;
    }

    private static void writeBeside(Path place, Content content) throws IOException {
        WholeFile.write(
                place,
                LEFT,
                beside -> {
                    UNFINISHED.add(beside); // If this fails, the file is deleted here already.
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
                // The process ends, and nobody is left to be told.
            }
        }
    }
}
