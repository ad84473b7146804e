package io.zarrengine.cli;

import java.nio.file.Path;

/** The user's cache folder. */
final class CacheFolder {
    private CacheFolder() {}

    /**
     * {@return where we keep what can be made again}
     *
     * @see <a href="https://specifications.freedesktop.org/basedir-spec/latest/">XDG Base Directory
     *     Specification</a>
     */
    static Path path() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache);
        return base.resolve("zarr-engine");
    }
}
