package io.zarrengine.cli;

import io.zarrengine.zarr.StoredSize;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.errors.StoreException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/** An array as text: what it is, what it takes on disk, its attributes. */
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
        row(out, "stored", storedText());
        array.attributes().forEach((name, value) -> row(out, "." + name, Json.line(value)));
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
