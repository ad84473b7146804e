package io.zarrengine.zarr.store;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.NodeMetadata;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A document of version 3 with one member changed, and all others as their writer left them. */
public final class DocumentChange {
    private final Path document;
    private final byte[] text;
    private final NodeMetadata metadata;

    private DocumentChange(Path document, byte[] text, NodeMetadata metadata) {
        this.document = document;
        this.text = text;
        this.metadata = metadata;
    }

    /**
     * Prepares a change; nothing is written yet.
     *
     * @param node whose document is read again
     * @param member its name
     * @param value its new value, of the types of a parsed document
     * @param types the known data types
     * @return the change
     * @throws FormatException if the document would not be valid, or has a member twice
     */
    public static DocumentChange of(StoredNode node, String member, Object value, DataTypes types) {
        Path document = node.document();
        String name = document.toString();
        byte[] old = node.store().document(document).orElse(new byte[0]);
        Map<String, Object> members = new LinkedHashMap<>(JsonFields.parse(name, old).toMap());
        members.put(member, value);
        byte[] text = JsonWriter.toDocument(members);
        return new DocumentChange(document, text, MetadataReader.read(name, text, types));
    }

    /** {@return the metadata after the change} */
    public NodeMetadata metadata() {
        return metadata;
    }

    /**
     * Replaces the document. A reader gets the old one or the new one.
     *
     * @param before what is done before that; only if the new text could be stored, and if it fails
     *     the old document stays
     */
    public void write(Runnable before) {
        MetadataFiles.replace(document, text, before);
    }
}
