package io.zarrengine.cli;

import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** The location of a node: a path, or a URL. */
final class NodeLocation {
    private static final Pattern URL = Pattern.compile("(?!file:///)[A-Za-z][A-Za-z0-9+.-]+://.*");

    private final Path path; // null if it is a URL
    private final URI url; // null if it is a path

    private NodeLocation(Path path, URI url) {
        this.path = path;
        this.url = url;
    }

    /** {@return the place that an argument names} {@code file:///x} is a path. */
    static NodeLocation parse(String text) {
        if (!isUrl(text)) {
            return new NodeLocation(path(text), null);
        }
        try {
            URI url = URI.create(text.replace(" ", "%20"));
            if (url.getAuthority() != null) {
                return new NodeLocation(null, url);
            }
        } catch (IllegalArgumentException _) {
            // It may repeat a password.
        }
        throw new TypeConversionException("not a URL: expected scheme://host/path");
    }

    /**
     * Parses a path, or a {@code file:} URI of one. An empty path is refused: it would be the
     * current folder, but more likely a variable is not set.
     */
    static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("the path is empty");
        }
        try {
            return text.startsWith("file:/") ? Path.of(URI.create(text)) : Path.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(text + ": " + e.getMessage());
        }
    }

    private static boolean isUrl(String text) {
        return text.contains("://") && URL.matcher(text).matches();
    }

    ZarrArray openArray(ZarrEngine engine) {
        return url == null ? engine.openArray(path) : engine.openArray(url);
    }

    ZarrNode open(ZarrEngine engine) {
        return url == null ? engine.open(path) : engine.open(url);
    }

    @Override
    public String toString() {
        return url == null ? path.toString() : url.getScheme() + "://" + host() + url.getPath();
    }

    /** Without a user and password; a bucket may have a name that no host has. */
    private String host() {
        return url.getAuthority().substring(url.getAuthority().lastIndexOf('@') + 1);
    }
}
