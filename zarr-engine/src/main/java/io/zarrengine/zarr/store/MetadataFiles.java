package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The metadata documents of a local folder. */
public final class MetadataFiles {
    /** Maximum size of a document in bytes. */
    static final int DOCUMENT_BYTES_MAX = 256 << 20;

    private MetadataFiles() {}

    /**
     * {@return the text of a document; empty if it does not exist}
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

    /**
     * Reads a document up to the limit, without trusting its reported size. The file may grow, and
     * some file systems report no size.
     */
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
     * Writes the document of a new node. The document appears complete or not at all, because it is
     * written to a temporary file and then linked into place.
     *
     * @param document the file; its folder is created if missing
     * @param text its content
     * @throws StoreException if the document exists already, or cannot be written
     */
    public static void create(Path document, byte[] text) {
        try {
            AtomicFile.write(
                    document,
                    new LeftoverFiles(),
                    beside -> Files.write(beside, text, StandardOpenOption.CREATE_NEW),
                    beside -> putInPlace(beside, document));
        } catch (FileAlreadyExistsException e) {
            // otherwise a file is at the place of a folder
            boolean isDocument = Files.exists(document);
            String there = isDocument ? document.toString() : e.getFile();
            throw new StoreException(there, "is there already", e);
        } catch (IOException e) {
            throw StoreException.of(document.toString(), e);
        }
    }

    /**
     * Replaces a document, or creates it. It is complete at any time.
     *
     * @param document the file
     * @param text its content
     * @param before runs when the content is stored in a temporary file
     * @throws StoreException if it cannot be written
     */
    static void replace(Path document, byte[] text, Runnable before) {
        try {
            AtomicFile.write(
                    document,
                    new LeftoverFiles(),
                    beside -> Files.write(beside, text, StandardOpenOption.CREATE_NEW),
                    beside -> {
                        before.run();
                        Files.move(beside, document, StandardCopyOption.ATOMIC_MOVE);
                    });
        } catch (IOException e) {
            throw StoreException.of(document.toString(), e);
        }
    }

    /**
     * Links the document into place. Unlike a move, a link never replaces an existing file, but not
     * all file systems have links.
     */
    private static void putInPlace(Path beside, Path document) throws IOException {
        try {
            Files.createLink(document, beside);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException _) {
            // Checks before it moves, which is safe except for a race.
            Files.move(beside, document);
        }
    }
}
