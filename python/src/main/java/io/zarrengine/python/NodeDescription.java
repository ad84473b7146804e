package io.zarrengine.python;

import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrGroup;
import io.zarrengine.zarr.ZarrNode;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumpyDescription;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.json.JsonWriter;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes a node to Python: all that its attributes show, as one JSON object. */
final class NodeDescription {
    private NodeDescription() {}

    static String of(long handle, ZarrNode node) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("handle", handle);
        members.put("path", node.path().toString());
        members.put("zarr_format", (long) node.metadata().zarrFormat());
        // Invalid attributes refuse nothing but themselves.
        node.metadata()
                .attributesProblem()
                .ifPresentOrElse(
                        problem -> members.put("attributes_problem", problem),
                        () -> members.put("attributes", JsonWriter.toPython(node.attributes())));
        switch (node) {
            case ZarrArray array -> addArray(members, array);
            case ZarrGroup _ -> members.put("kind", "group");
        }
        return MetadataWriter.toLine(members);
    }

    private static void addArray(Map<String, Object> members, ZarrArray array) {
        ArrayMetadata metadata = array.metadata();
        DataType type = metadata.dataType();
        Optional<CodecSpec> sharding =
                metadata.codecs().stream()
                        .filter(codec -> codec.name().equals("sharding_indexed"))
                        .findFirst();
        members.put("kind", "array");
        members.put("shape", list(metadata.shape()));
        List<Long> grid = list(metadata.chunkShape());
        members.put("chunks", sharding.map(codec -> innerChunk(array, codec)).orElse(grid));
        members.put("shards", sharding.isPresent() ? grid : null);
        members.put("grid_shape", list(metadata.chunkGrid().gridShape(metadata.shape())));
        members.put("type", type.typeName());
        boolean isVariable = type instanceof VariableLengthType;
        members.put("numpy", isVariable ? "" : NumpyDescription.of(type));
        members.put("item", item(type));
        members.put("has_fill", metadata.hasFillValue());
        members.put("fill", Base64.getEncoder().encodeToString(metadata.fillValue()));
        metadata.dimensionNames().ifPresent(names -> members.put("dimension_names", names));
        members.put("info", array.info());
        Map<String, Object> document = new LinkedHashMap<>(MetadataWriter.toMap(metadata));
        document.remove("attributes"); // They are described already.
        members.put("document", document);
        boolean isOld = metadata.zarrFormat() == 2;
        members.put("fields_of_codecs", isOld ? metadata.codecFields() : List.of());
    }

    /** Returns the shape of an inner chunk in the array's dimensions, which may be transposed. */
    private static Object innerChunk(ZarrArray array, CodecSpec sharding) {
        return array.metadata().codecs().getFirst().equals(sharding)
                ? sharding.configuration().get("chunk_shape")
                : list(array.innerChunkShape());
    }

    /** Returns NumPy's description of the numbers in an element of variable length, or "". */
    private static String item(DataType type) {
        return type instanceof VariableLengthType variable && variable.item() != null
                ? NumpyDescription.of(variable.item())
                : "";
    }

    private static List<Long> list(long[] lengths) {
        return Arrays.stream(lengths).boxed().toList();
    }
}
