package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gives other tests access to JSON files. */
public final class JsonText {
    private JsonText() {}

    /** Returns the value that a file holds. */
    public static Object read(Path file) {
        try {
            return Json.parse(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
