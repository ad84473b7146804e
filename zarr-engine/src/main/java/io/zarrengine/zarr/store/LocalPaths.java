package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks for paths made from URLs. Java turns {@code s3://bucket/a} into {@code s3:/bucket/a}. */
public final class LocalPaths {
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):");

    private LocalPaths() {}

    /**
     * {@return why a URL cannot be opened}
     *
     * @param scheme of the URL
     */
    public static String unknownKind(String scheme) {
        return "a store of the kind "
                + scheme
                + " cannot be read or written yet; folders, zip files, and file:, http:, https:, s3:,"
                + " gs:, az:, abfs: and memory: URLs can be read";
    }

    /**
     * Refuses a path that was made from a URL.
     *
     * @param path the path of a node
     * @throws StoreException if it begins with a scheme, and no folder of that name exists
     */
    public static void require(Path path) {
        boolean isLocal = path.getFileSystem().equals(FileSystems.getDefault());
        if (!isLocal || path.isAbsolute() || path.getNameCount() == 0) {
            return;
        }
        Matcher scheme = SCHEME.matcher(path.getName(0).toString());
        if (!scheme.matches() || Files.exists(path.getName(0))) {
            return;
        }
        boolean isRest = path.getNameCount() > 1;
        String rest = isRest ? path.subpath(1, path.getNameCount()).toString() : "";
        String problem =
                switch (scheme.group(1)) {
                    case "file" -> "is a URI: Path.of(URI.create(...)) makes a path of it";
                    case String s when s.equals("memory") || UrlModules.of(s).isPresent() ->
                            "is a URL: open(URI.create(...)) reads it; it cannot be written";
                    default -> unknownKind(scheme.group(1));
                };
        String slashes = scheme.group(1).equals("file") ? "///" : "//";
        throw new StoreException(scheme.group() + slashes + rest, problem, null);
    }
}
