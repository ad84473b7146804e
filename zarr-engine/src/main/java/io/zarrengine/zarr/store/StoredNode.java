package io.zarrengine.zarr.store;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ConsolidatedMetadata;
import io.zarrengine.zarr.metadata.Document;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.MetadataV2Reader;
import io.zarrengine.zarr.metadata.NodeMetadata;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A node with its document and metadata.
 *
 * @param store the store of the node
 * @param document the file that describes it
 * @param metadata the metadata in the document
 * @param consolidated the document's metadata of the nodes below
 */
public record StoredNode(
        Store store,
        Path document,
        NodeMetadata metadata,
        Optional<ConsolidatedMetadata> consolidated) {
    private static final int ENTRIES_LOOKED_AT = 1000;
    private static final int NODES_NAMED = 3;

    /**
     * {@return a node below, from the consolidated metadata; empty if it is not described there}
     *
     * @param path relative to this node
     * @throws FormatException if the description is invalid
     */
    public Optional<StoredNode> below(Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(name -> names.add(name.toString()));
        String key = String.join("/", names);
        return consolidated.flatMap(nodes ->
                nodes.node(key)
                        .map(node ->
                                new StoredNode(
                                        store, document, node, Optional.of(nodes.below(key)))));
    }

    /**
     * {@return whether a folder is a node of a hierarchy}
     *
     * @param store the store of the folder
     * @param folder any path
     */
    public static boolean isAt(Store store, Path folder) {
        return store.isFile(folder.resolve(DocumentNames.V3))
                || store.isFile(folder.resolve(DocumentNames.V2_ARRAY))
                || store.isFile(folder.resolve(DocumentNames.V2_GROUP));
    }

    /**
     * {@return the node at a path; of version 3 if both versions exist}
     *
     * @param path absolute: the folder of the node, or the path of a zip file followed by the name
     *     in it
     * @param backend reads files
     * @param types the known data types
     * @throws NodeNotFoundException if there is no node
     * @throws io.zarrengine.zarr.errors.ZarrException if it cannot be read, or is invalid
     */
    public static StoredNode at(Path path, ReadBackend backend, DataTypes types) {
        return read(LocalStores.of(path, backend), path, types);
    }

    /**
     * {@return the node at a path of a store}
     *
     * @param store the store
     * @param path of the node in that store; a zip file may be on the way there
     * @param types the known data types
     * @throws NodeNotFoundException if there is no node
     * @throws io.zarrengine.zarr.errors.ZarrException if it cannot be read, or is invalid
     */
    public static StoredNode in(ObjectTree store, Path path, DataTypes types) {
        return read(store.of(path), path, types);
    }

    /**
     * Refuses a node that can only be read.
     *
     * @param path of the node, for messages
     * @throws StoreException if its store is only read
     * @throws FormatException if it is of version 2
     */
    public void requireWritable(Path path) {
        store.unwritable()
                .ifPresent(cause -> {
                    throw new StoreException(path.toString(), cause, null);
                });
        if (metadata.zarrFormat() == 2) {
            throw new FormatException(
                    document.toString(), "zarr_format", "is 2: cannot be written, only read");
        }
    }

    /**
     * {@return a node below, from its own document}
     *
     * @param path its folder; if this node is not in a zip file, one too
     * @param backend reads files
     * @param types the known data types
     * @throws NodeNotFoundException if there is no node
     * @throws io.zarrengine.zarr.errors.ZarrException if it cannot be read, or is invalid
     */
    public StoredNode openBelow(Path path, ReadBackend backend, DataTypes types) {
        return switch (store) {
            case FolderStore _ -> at(path, backend, types);
            case ObjectTree tree -> in(tree, path, types);
            default -> read(store, path, types);
        };
    }

    /**
     * {@return a group that was just written}
     *
     * @param document the file that describes it
     * @param attributes the user's attributes
     */
    public static StoredNode ofNew(Path document, Map<String, Object> attributes) {
        return new StoredNode(
                FolderStore.INSTANCE, document, new GroupMetadata(attributes), Optional.empty());
    }

    private static StoredNode read(Store store, Path folder, DataTypes types) {
        if (store.exists(folder) && !store.isFolder(folder)) {
            String problem =
                    store instanceof ZipStore
                            ? "is a file in a zip file; a node is the folder that holds its document"
                            : "is a file; a node is the folder that holds its document, or a zip file";
            throw new NodeNotFoundException(folder.toString(), problem);
        }
        Path v3 = folder.resolve(DocumentNames.V3);
        Optional<byte[]> text = store.document(v3);
        if (text.isPresent()) {
            NodeMetadata metadata = MetadataReader.read(v3.toString(), text.get(), types);
            return new StoredNode(
                    store,
                    v3,
                    metadata,
                    ConsolidatedMetadata.ofZarrJson(v3.toString(), text.get(), types));
        }
        Path array = folder.resolve(DocumentNames.V2_ARRAY);
        Optional<byte[]> arrayText = store.document(array);
        if (arrayText.isPresent()) {
            NodeMetadata metadata =
                    MetadataV2Reader.readArray(
                            new Document(array.toString(), arrayText.get()),
                            attributes(store, folder));
            return new StoredNode(store, array, metadata, Optional.empty());
        }
        Path group = folder.resolve(DocumentNames.V2_GROUP);
        Optional<byte[]> groupText = store.document(group);
        if (groupText.isPresent()) {
            NodeMetadata metadata =
                    MetadataV2Reader.readGroup(
                            new Document(group.toString(), groupText.get()),
                            attributes(store, folder));
            return new StoredNode(store, group, metadata, consolidated(store, folder, types));
        }
        throw new NodeNotFoundException(folder.toString(), missing(store, folder));
    }

    /**
     * Writes the document of a new node.
     *
     * @param folder the folder of the node, created if missing
     * @param text creates the document; its argument is the name of the file, for messages
     * @return the document's file
     * @throws StoreException if a node exists already, or the document cannot be written
     */
    public static Path create(Path folder, Function<String, byte[]> text) {
        refuseZip(folder);
        Path document = folder.resolve(DocumentNames.V3);
        byte[] content = text.apply(document.toString());
        if (isAt(FolderStore.INSTANCE, folder)) {
            throw new StoreException(folder.toString(), "is a Zarr node already", null);
        }
        MetadataFiles.create(document, content);
        return document;
    }

    /**
     * Puts the document of a new node into a store in memory.
     *
     * @param store gets the document
     * @param prefix of the node's keys, with a slash at the end; or empty
     * @param text creates the document; its argument is its name, for messages
     * @throws StoreException if a node exists already
     */
    public static void create(MemoryStore store, String prefix, Function<String, byte[]> text) {
        String document = prefix + DocumentNames.V3;
        byte[] content = text.apply(store.name() + "/" + document);
        synchronized (store) { // two threads may create the same node
            boolean isNode =
                    store.has(document)
                            || store.has(prefix + DocumentNames.V2_ARRAY)
                            || store.has(prefix + DocumentNames.V2_GROUP);
            if (isNode) {
                throw new StoreException(
                        store.name() + "/" + prefix, "is a Zarr node already", null);
            }
            store.put(document, content);
        }
    }

    /**
     * Refuses a folder with the name of a zip file, because the caller probably expects a zip file.
     */
    private static void refuseZip(Path folder) {
        for (Path path = folder;
                path != null && !Files.isDirectory(path);
                path = path.getParent()) {
            if (ZipStore.isNamed(path)) {
                throw new StoreException(
                        path.toString(),
                        "zip files cannot be written yet, only read: write a folder, and pack it"
                                + " with zip -0",
                        null);
            }
        }
    }

    private static Optional<Document> attributes(Store store, Path folder) {
        Path file = folder.resolve(DocumentNames.V2_ATTRIBUTES);
        try {
            return store.document(file).map(text -> new Document(file.toString(), text));
        } catch (StoreException e) { // A folder, or a damaged entry of a zip file.
            return Optional.of(Document.unreadable(file.toString(), e));
        }
    }

    private static Optional<ConsolidatedMetadata> consolidated(
            Store store, Path folder, DataTypes types) {
        Path file = folder.resolve(DocumentNames.V2_CONSOLIDATED);
        return store.document(file)
                .map(text -> ConsolidatedMetadata.ofZmetadata(file.toString(), text, types));
    }

    private static String missing(Store store, Path folder) {
        if (!store.exists(folder)) {
            return "does not exist";
        }
        String problem =
                "is no Zarr node: it holds no "
                        + DocumentNames.V3
                        + ", "
                        + DocumentNames.V2_ARRAY
                        + " or "
                        + DocumentNames.V2_GROUP
                        + (store instanceof ObjectTree ? ObjectTree.noZip(folder) : "");
        List<String> below = nodesBelow(store, folder);
        return below.isEmpty() ? problem : problem + "; below it are " + String.join(", ", below);
    }

    /**
     * Returns some of the nodes below a folder. A zip file often contains the folder of the
     * hierarchy instead of its contents.
     */
    private static List<String> nodesBelow(Store store, Path folder) {
        try {
            return store.entries(folder, ENTRIES_LOOKED_AT).stream()
                    .filter(entry -> isAt(store, entry))
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .limit(NODES_NAMED)
                    .toList();
        } catch (StoreException e) {
            return List.of(); // The missing node is the more important error.
        }
    }
}
