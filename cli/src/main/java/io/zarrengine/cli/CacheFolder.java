package io.zarrengine.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The user's cache folder. */
final class CacheFolder {
    private static final Path SELF = Path.of("/proc/self"); // owned by the user of the process

    private CacheFolder() {}

    /**
     * {@return the folder for files that can be made again; bin/paths.sh finds the same}
     *
     * @throws IOException if the user has no folder, or another user owns it, as may happen to root
     * @see <a href="https://specifications.freedesktop.org/basedir-spec/latest/">XDG Base Directory
     *     Specification</a>
     */
    static Path path() throws IOException {
        Path folder = path(System.getenv(), System.getProperty("user.home"));
        checkOwner(folder);
        return folder;
    }

    /** Refuses another user's folder, because links in it could redirect files that root writes. */
    static void checkOwner(Path folder) throws IOException {
        Path existing = folder;
        while (!Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (Files.exists(SELF)) {
            int owner = uid(existing);
            if (owner != 0 && owner != uid(SELF)) {
                throw new IOException(existing + " is another user's: set XDG_CACHE_HOME");
            }
        }
    }

    private static int uid(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    /**
     * Returns the folder. An empty variable counts as unset, and a relative cache folder is
     * ignored.
     */
    static Path path(Map<String, String> environment, String homeInUserDatabase)
            throws IOException {
        Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
        if (!cache.isAbsolute()) {
            String home = environment.getOrDefault("HOME", "");
            cache = Path.of(home.isEmpty() ? homeInUserDatabase : home, ".cache");
        }
        if (!cache.isAbsolute()) { // Java uses "?" as the folder of an unknown user.
            throw new IOException("there is no cache folder: set XDG_CACHE_HOME or HOME");
        }
        return cache.resolve("zarr-engine");
    }
}
