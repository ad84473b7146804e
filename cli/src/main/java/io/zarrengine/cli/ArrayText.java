package io.zarrengine.cli;

import io.zarrengine.zarr.StoredSize;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** An array's metadata as text. */
final class ArrayText {
    private final ZarrArray array;
    private final ArrayMetadata metadata;

    ArrayText(ZarrArray array) {
        this.array = array;
        this.metadata = array.metadata();
    }

    /** {@return type and shape} */
    static String brief(ZarrArray array) {
        return array.dataType().typeName() + " " + Arrays.toString(array.shape());
    }

    void print(PrintWriter out) {
        out.println(array.path().normalize());
        row(out, "zarr format", Integer.toString(metadata.zarrFormat()));
        row(out, "shape", lengths(metadata.shape()) + names());
        row(out, "data type", typeText(metadata.dataType()));
        Object fill = metadata.dataType().fillValueToJson(metadata.fillValue());
        row(out, "fill value", Json.line(fill));
        boolean sharded =
                metadata.codecs().stream().anyMatch(c -> c.name().equals("sharding_indexed"));
        if (sharded) {
            row(out, "shards", lengths(metadata.chunkShape()));
        }
        row(out, "chunks", lengths(array.innerChunkShape()));
        printCodecs(out);
        row(out, "chunk keys", metadata.chunkKeyEncoding().key(new long[metadata.rank()]));
        printStored(out);
        metadata.attributes().forEach((name, value) -> row(out, "." + name, Json.line(value)));
    }

    private static String typeText(DataType type) {
        return type.configuration().isEmpty()
                ? type.typeName()
                : type.typeName() + " " + Json.line(type.configuration());
    }

    private void printCodecs(PrintWriter out) {
        String title = "codecs";
        for (CodecSpec spec : metadata.codecs()) {
            row(out, title, spec.name() + " " + Json.line(spec.configuration()));
            title = "";
        }
    }

    private void printStored(PrintWriter out) {
        row(out, "stored", storedText());
    }

    private String storedText() {
        StoredSize stored;
        try {
            stored = array.storedSize();
        } catch (StoreException e) {
            return "unknown: " + e.getMessage();
        }
        String files =
                String.format(
                        Locale.ROOT,
                        "%s in %d %s",
                        bytes(stored.bytes()),
                        stored.files(),
                        stored.files() == 1 ? "file" : "files");
        if (stored.uncompressedBytes() < 0) {
            return files;
        }
        return String.format(
                Locale.ROOT,
                "%s; %s uncompressed, ratio %.2f",
                files,
                (stored.uncompressedBytes() == Long.MAX_VALUE ? "more than " : "")
                        + bytes(stored.uncompressedBytes()),
                stored.ratio());
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

    private static void row(PrintWriter out, String label, String text) {
        out.println(String.format(Locale.ROOT, "  %-12s %s", label, text).stripTrailing());
    }

    /** {@return a size with three digits, in decimal units} */
    static String bytes(long bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
        double value = bytes;
        int unit = 0;
        while (value >= 999.5 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        String format =
                unit == 0 || value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" : "%.2f %s";
        return String.format(Locale.ROOT, format, value, units[unit]);
    }
}
