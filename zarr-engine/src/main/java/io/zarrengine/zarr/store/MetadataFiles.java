package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The metadata documents of a local folder. */
public final class MetadataFiles {
    /** Of a larger document no more is read. */
    static final int DOCUMENT_BYTES_MAX = 256 << 20;

    private MetadataFiles() {}

    /**
     * {@return the text of a document; empty if there is none}
     *
     * @param document the file
     * @throws StoreException if it cannot be read, or is too large
     */
    public static Optional<byte[]> read(Path document) {
        try {
            if (!Files.readAttributes(document, BasicFileAttributes.class).isRegularFile()) {
                throw new StoreException(document.toString(), "is not a regular file", null);
            }
            return Optional.of(readBounded(document));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw StoreException.of(document.toString(), e);
        }
    }

    /** Whatever its size was said to be: it may grow, and some file systems do not know. */
    private static byte[] readBounded(Path document) throws IOException {
        try (InputStream in = Files.newInputStream(document)) {
            byte[] text = in.readNBytes(DOCUMENT_BYTES_MAX + 1);
            if (text.length > DOCUMENT_BYTES_MAX) {
                throw new StoreException(
                        document.toString(),
                        "has more than " + DOCUMENT_BYTES_MAX + " bytes",
                        null);
            }
            return text;
        }
    }

    /**
     * Writes the document of a new node. It appears whole or not at all: it is written beside its
     * place and then linked there.
     *
     * @param document the file; its folder is made if it is not there
     * @param text its content
     * @throws StoreException if there is a document already, or it cannot be written
     */
    public static void create(Path document, byte[] text) {
        try {
            WholeFile.write(
                    document,
                    new LeftFiles(),
                    beside -> Files.write(beside, text, StandardOpenOption.CREATE_NEW),
                    beside -> putInPlace(beside, document));
        } catch (FileAlreadyExistsException e) {
            boolean isDocument = Files.exists(document); // else a file where a folder was to be
            String there = isDocument ? document.toString() : e.getFile();
            throw new StoreException(there, "is there already", e);
        } catch (IOException e) {
            throw StoreException.of(document.toString(), e);
        }
    }

    /** Unlike a move, a link never replaces what is there; but not all file systems have links. */
    private static void putInPlace(Path beside, Path document) throws IOException {
        try {
            Files.createLink(document, beside);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException _) {
            Files.move(beside, document); // Looks before it moves: safe but for a race.
        }
    }
}
