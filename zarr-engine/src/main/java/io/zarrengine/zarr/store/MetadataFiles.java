package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The metadata documents of a local folder. */
public final class MetadataFiles {
    private static final String V3 = "zarr.json";

    /** A larger document is refused before it is read. */
    private static final long DOCUMENT_BYTES_MAX = 256L << 20;

    private MetadataFiles() {}

    /**
     * {@return where the document of a node is}
     *
     * @param node the node's folder
     */
    public static Path document(Path node) {
        return node.resolve(V3);
    }

    /**
     * {@return whether a folder is a node of a hierarchy}
     *
     * @param folder any path
     */
    public static boolean isNode(Path folder) {
        return Files.isRegularFile(document(folder));
    }

    /**
     * {@return the text of a node's document}
     *
     * @param node the node's folder
     * @throws NodeNotFoundException if it has none
     * @throws StoreException if it cannot be read, or is too large
     */
    public static byte[] read(Path node) {
        Path document = document(node);
        try {
            long bytes = Files.size(document);
            if (bytes > DOCUMENT_BYTES_MAX) {
                throw new StoreException(
                        document.toString(),
                        "has " + bytes + " bytes, more than " + DOCUMENT_BYTES_MAX,
                        null);
            }
            return Files.readAllBytes(document);
        } catch (NoSuchFileException e) {
            throw new NodeNotFoundException(node.toString(), missing(node));
        } catch (IOException e) {
            throw new StoreException(document.toString(), e.toString(), e);
        }
    }

    /**
     * Writes the document of a new node.
     *
     * @param node the node's folder; made if it is not there
     * @param text the document
     * @throws StoreException if there is a document already, or it cannot be written
     */
    public static void create(Path node, byte[] text) {
        Path document = document(node);
        try {
            Files.createDirectories(node);
            Files.write(document, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException(document.toString(), "is there already", e);
        } catch (IOException e) {
            throw new StoreException(document.toString(), e.toString(), e);
        }
    }

    private static String missing(Path node) {
        if (!Files.exists(node)) {
            return "does not exist";
        }
        if (Files.exists(node.resolve(".zarray")) || Files.exists(node.resolve(".zgroup"))) {
            return "is a Zarr v2 node, which is not supported yet";
        }
        return "is no Zarr node: it holds no " + V3;
    }
}
