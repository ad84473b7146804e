package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.errors.StoreException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
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

    private static final String BESIDE = ".part";
    private static final String LEFT = "[0-9a-f-]{36}\\.part";

    /** Nobody takes so long for a file. */
    private static final Duration LEFT_AGE_MIN = Duration.ofHours(1);

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

    /** What a process that was killed left beside the same place, long ago. */
    private static void deleteLeft(Path place) throws IOException {
        Pattern name = Pattern.compile(Pattern.quote(place.getFileName() + ".") + LEFT);
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(
                        place.getParent(),
                        file -> name.matcher(file.getFileName().toString()).matches())) {
            Instant old = Instant.now().minus(LEFT_AGE_MIN);
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (DirectoryIteratorException | NoSuchFileException | AccessDeniedException _) {
            // It is in nobody's way.
        }
    }

    private static void writeBeside(Path place, Content content) throws IOException {
        deleteLeft(place);
        Path beside = place.resolveSibling(place.getFileName() + "." + UUID.randomUUID() + BESIDE);
        UNFINISHED.add(beside);
        try {
            write(beside, content);
            Files.move(beside, place, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
            UNFINISHED.remove(beside);
        }
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
