package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The metadata documents of a local folder. */
public final class MetadataFiles {
    /** A larger document is refused before it is read. */
    private static final long DOCUMENT_BYTES_MAX = 256L << 20;

    private MetadataFiles() {}

    /**
     * {@return the text of a document; empty if there is none}
     *
     * @param document the file
     * @throws StoreException if it cannot be read, or is too large
     */
    public static Optional<byte[]> read(Path document) {
        try {
            long bytes = Files.size(document);
            if (bytes > DOCUMENT_BYTES_MAX) {
                throw new StoreException(
                        document.toString(),
                        "has " + bytes + " bytes, more than " + DOCUMENT_BYTES_MAX,
                        null);
            }
            return Optional.of(Files.readAllBytes(document));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StoreException(document.toString(), e.toString(), e);
        }
    }

    /**
     * Writes the document of a new node.
     *
     * @param document the file; its folder is made if it is not there
     * @param text its content
     * @throws StoreException if there is a document already, or it cannot be written
     */
    public static void create(Path document, byte[] text) {
        try {
            Files.createDirectories(document.getParent());
            Files.write(document, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(document.toString(), "is there already", e);
        } catch (IOException e) {
            throw new StoreException(document.toString(), e.toString(), e);
        }
    }
}
