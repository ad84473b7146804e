package io.zarrengine.zarr.store;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ConsolidatedMetadata;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.MetadataV2Reader;
import io.zarrengine.zarr.metadata.NodeMetadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A node in a local folder: which document describes it, and what that says.
 *
 * @param document the file that describes it
 * @param metadata what it says
 * @param consolidated what it says of the nodes below
 */
public record StoredNode(
        Path document, NodeMetadata metadata, Optional<ConsolidatedMetadata> consolidated) {
    private static final String V3 = "zarr.json";
    private static final String V2_ARRAY = ".zarray";
    private static final String V2_GROUP = ".zgroup";
    private static final String V2_ATTRIBUTES = ".zattrs";
    private static final String V2_CONSOLIDATED = ".zmetadata";
    private static final Set<String> DOCUMENTS =
            Set.of(V3, V2_ARRAY, V2_GROUP, V2_ATTRIBUTES, V2_CONSOLIDATED);

    /**
     * {@return whether a file holds metadata, judged by its name}
     *
     * @param file any path
     */
    static boolean isDocument(Path file) {
        return DOCUMENTS.contains(file.getFileName().toString());
    }

    /**
     * {@return a node below, as this one's document describes it; empty if it does not}
     *
     * @param path relative to this node
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid
     */
    public Optional<StoredNode> below(Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(name -> names.add(name.toString()));
        String key = String.join("/", names);
        return consolidated.flatMap(nodes ->
                nodes.node(key)
                        .map(node ->
                                new StoredNode(document, node, Optional.of(nodes.below(key)))));
    }

    /**
     * {@return whether a folder is a node of a hierarchy}
     *
     * @param folder any path
     */
    public static boolean isAt(Path folder) {
        return Files.isRegularFile(folder.resolve(V3))
                || Files.isRegularFile(folder.resolve(V2_ARRAY))
                || Files.isRegularFile(folder.resolve(V2_GROUP));
    }

    /**
     * {@return the node at a folder; version 3 if it is there in both}
     *
     * @param folder the node's
     * @param types the data types that are known
     * @throws NodeNotFoundException if there is none
     * @throws io.zarrengine.zarr.errors.ZarrException if it cannot be read, or is not valid
     */
    public static StoredNode read(Path folder, DataTypes types) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new NodeNotFoundException(
                    folder.toString(), "is a file; a node is the folder that holds its document");
        }
        Path v3 = folder.resolve(V3);
        Optional<byte[]> text = MetadataFiles.read(v3);
        if (text.isPresent()) {
            NodeMetadata metadata = MetadataReader.read(v3.toString(), text.get(), types);
            return new StoredNode(
                    v3,
                    metadata,
                    ConsolidatedMetadata.ofZarrJson(v3.toString(), text.get(), types));
        }
        Path array = folder.resolve(V2_ARRAY);
        Optional<byte[]> arrayText = MetadataFiles.read(array);
        if (arrayText.isPresent()) {
            NodeMetadata metadata =
                    MetadataV2Reader.readArray(
                            array.toString(), arrayText.get(), attributes(folder));
            return new StoredNode(array, metadata, Optional.empty());
        }
        Path group = folder.resolve(V2_GROUP);
        Optional<byte[]> groupText = MetadataFiles.read(group);
        if (groupText.isPresent()) {
            NodeMetadata metadata =
                    MetadataV2Reader.readGroup(
                            group.toString(), groupText.get(), attributes(folder));
            return new StoredNode(group, metadata, consolidated(folder, types));
        }
        throw new NodeNotFoundException(folder.toString(), missing(folder));
    }

    /**
     * Writes the document of a new node.
     *
     * @param folder the node's; made if it is not there
     * @param text makes the document; of its file, for messages
     * @return the document's file
     * @throws StoreException if there is a node already, or it cannot be written
     */
    public static Path create(Path folder, Function<String, byte[]> text) {
        Path document = folder.resolve(V3);
        byte[] content = text.apply(document.toString());
        if (isAt(folder)) {
            throw new StoreException(folder.toString(), "is a Zarr node already", null);
        }
        MetadataFiles.create(document, content);
        return document;
    }

    private static Map<String, Object> attributes(Path folder) {
        Path file = folder.resolve(V2_ATTRIBUTES);
        return MetadataFiles.read(file)
                .map(text -> MetadataV2Reader.readAttributes(file.toString(), text))
                .orElse(Map.of());
    }

    private static Optional<ConsolidatedMetadata> consolidated(Path folder, DataTypes types) {
        Path file = folder.resolve(V2_CONSOLIDATED);
        return MetadataFiles.read(file)
                .map(text -> ConsolidatedMetadata.ofZmetadata(file.toString(), text, types));
    }

    private static String missing(Path folder) {
        return Files.exists(folder)
                ? "is no Zarr node: it holds no " + V3 + ", " + V2_ARRAY + " or " + V2_GROUP
                : "does not exist";
    }
}
