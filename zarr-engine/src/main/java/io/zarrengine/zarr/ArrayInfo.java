package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.json.JsonWriter;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Describes an array's metadata in lines of text. */
final class ArrayInfo {
    private final Path path;
    private final ArrayMetadata metadata;
    private final StringJoiner lines = new StringJoiner("\n");

    private ArrayInfo(Path path, ArrayMetadata metadata) {
        this.path = path;
        this.metadata = metadata;
    }

    /** {@return the text, without the attributes} */
    static String of(Path path, ArrayMetadata metadata, long[] innerChunkShape) {
        ArrayInfo info = new ArrayInfo(path, metadata);
        info.add(innerChunkShape);
        return info.lines.toString();
    }

    private void add(long[] innerChunkShape) {
        lines.add(path.normalize().toString());
        row("zarr format", Integer.toString(metadata.zarrFormat()));
        row("shape", lengths(metadata.shape()) + names());
        row("data type", type(metadata.dataType()));
        row(
                "fill value",
                JsonWriter.toLine(metadata.dataType().fillValueToJson(metadata.fillValue())));
        boolean isSharded =
                metadata.codecs().stream().anyMatch(c -> c.name().equals("sharding_indexed"));
        if (isSharded) {
            row("shards", lengths(metadata.chunkShape()));
        }
        row("chunks", lengths(innerChunkShape));
        String label = "codecs";
        for (CodecSpec spec : metadata.codecs()) {
            row(label, spec.toString());
            label = "";
        }
        row("chunk keys", metadata.chunkKeyEncoding().key(new long[metadata.rank()]));
    }

    private static String type(DataType type) {
        return type.configuration().isEmpty()
                ? type.typeName()
                : type.typeName() + " " + JsonWriter.toLine(type.configuration());
    }

    private String names() {
        return metadata.dimensionNames()
                .map(names -> names.stream().map(String::valueOf))
                .map(names -> names.collect(Collectors.joining(", ", "  (", ")")))
                .orElse("");
    }

    private static String lengths(long[] shape) {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
    }

    private void row(String label, String text) {
        lines.add(String.format(Locale.ROOT, "  %-12s %s", label, text).stripTrailing());
    }
}
