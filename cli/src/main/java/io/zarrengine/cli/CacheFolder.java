package io.zarrengine.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The user's cache folder. */
final class CacheFolder {
    private CacheFolder() {}

    /**
     * {@return where we keep what can be made again; as bin/launch.sh finds it}
     *
     * @throws IOException if the user has no folder
     * @see <a href="https://specifications.freedesktop.org/basedir-spec/latest/">XDG Base Directory
     *     Specification</a>
     */
    static Path path() throws IOException {
        return path(System.getenv(), System.getProperty("user.home"));
    }

    /** A variable that is empty counts as not set, and a relative cache folder is ignored. */
    static Path path(Map<String, String> environment, String homeInUserDatabase)
            throws IOException {
        Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
        if (!cache.isAbsolute()) {
            String home = environment.getOrDefault("HOME", "");
            cache = Path.of(home.isEmpty() ? homeInUserDatabase : home, ".cache");
        }
        if (!cache.isAbsolute()) { // Java calls the folder of a user it does not know "?".
            throw new IOException("there is no cache folder: set XDG_CACHE_HOME or HOME");
        }
        return cache.resolve("zarr-engine");
    }
}
