package io.zarrengine.cli;

import io.zarrengine.zarr.StoredSize;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.errors.StoreException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints an array as text: its metadata, stored size and attributes. */
final class ArrayText {
    private final ZarrArray array;

    ArrayText(ZarrArray array) {
        this.array = array;
    }

    /** {@return type and shape} */
    static String brief(ZarrArray array) {
        return array.dataType().typeName() + " " + Arrays.toString(array.shape());
    }

    void print(PrintWriter out) {
        out.println(array.info());
        try {
            StoredSize stored = array.storedSize();
            row(out, "stored", storedText(stored));
            warnings(array, stored).forEach(warning -> row(out, "warning", warning));
        } catch (StoreException e) {
            row(out, "stored", "unknown: " + e.getMessage());
        }
        array.metadata()
                .attributesProblem()
                .ifPresentOrElse(
                        problem -> row(out, "warning", "attributes cannot be read: " + problem),
                        () ->
                                array.attributes()
                                        .forEach((name, value) ->
                                                row(out, "." + name, CommandJson.line(value))));
    }

    /** {@return warnings about an array's files} */
    static List<String> warnings(ZarrArray array, StoredSize stored) {
        List<String> warnings = new ArrayList<>();
        if (stored.otherFiles() > 0) {
            long[] coordinates = new long[array.metadata().rank()];
            if (coordinates.length > 0) {
                coordinates[coordinates.length - 1] = 1; // Coordinates that differ show the order.
            }
            String key = array.metadata().chunkKeyEncoding().key(coordinates);
            warnings.add(
                    stored.otherFiles() == stored.files()
                            ? "%d %s, none of them a chunk of this array: its keys look like %s"
                                    .formatted(stored.files(), files(stored.files()), key)
                            : "%d of %d files are no chunks of this array: its keys look like %s"
                                    .formatted(stored.otherFiles(), stored.files(), key));
        }
        if (stored.deflatedFiles() > 0) {
            warnings.add(
                    "%d of %d chunks are compressed in the zip file, and cannot be read in parts:"
                                    .formatted(stored.deflatedFiles(), stored.files())
                            + " \"zip -0\" stores them as they are");
        }
        return warnings;
    }

    private static String files(long count) {
        return count == 1 ? "file" : "files";
    }

    private static String storedText(StoredSize stored) {
        String files =
                String.format(
                        Locale.ROOT,
                        "%s in %d %s",
                        bytes(stored.bytes()),
                        stored.files(),
                        files(stored.files()));
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
