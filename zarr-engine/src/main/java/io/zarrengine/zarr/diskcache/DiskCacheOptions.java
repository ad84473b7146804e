package io.zarrengine.zarr.diskcache;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a cache is, and how large.
 *
 * @param folder its folder; other processes may use it at the same time
 * @param bytesMax most bytes of the disk, {@code > 0}
 * @param maxAge how long a version counts as the current one without asking its server, {@code >=
 *     0}
 */
public record DiskCacheOptions(Path folder, long bytesMax, Duration maxAge) {
    /** A day. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofDays(1);

    private static final long DEFAULT_BYTES = 10L << 30;
    private static final Pattern MISSPELT = Pattern.compile(".+:\\s*\\d[^/]*");
    private static final Pattern TEXT = Pattern.compile("(.+):(\\d{1,6})([MGT])");

    /**
     * {@return the cache that a text names, with the default maximum age}
     *
     * @param text a folder, and perhaps a size in MiB, GiB or TiB: {@code /scratch/zarr:200G}; 10
     *     GiB without one
     * @throws IllegalArgumentException if it is no path, or the size is 0
     */
    public static DiskCacheOptions parse(String text) {
        Matcher sized = TEXT.matcher(text);
        if (!sized.matches()) {
            if (MISSPELT.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "the size of a disk cache is a number with M, G or T: " + text);
            }
            return new DiskCacheOptions(Path.of(text), DEFAULT_BYTES, DEFAULT_MAX_AGE);
        }
        int shift = 20 + 10 * "MGT".indexOf(sized.group(3));
        long bytes = Long.parseLong(sized.group(2)) << shift;
        if (bytes == 0) {
            throw new IllegalArgumentException("a disk cache cannot have 0 bytes: " + text);
        }
        return new DiskCacheOptions(Path.of(sized.group(1)), bytes, DEFAULT_MAX_AGE);
    }
}
