package io.zarrengine.zarr.diskcache;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place and the limits of a cache on disk.
 *
 * @param folder its folder; other processes may use it at the same time
 * @param bytesMax most bytes of the disk, {@code > 0}
 * @param maxAge how long a version counts as the current one for arrays that are opened later,
 *     {@code >= 0}
 * @param unusedMax how long a file stays open that is not read
 */
public record DiskCacheOptions(Path folder, long bytesMax, Duration maxAge, Duration unusedMax) {
    /** A removed file takes its place until it is closed. */
    public static final Duration DEFAULT_UNUSED_MAX = Duration.ofMinutes(1);

    /** The server is asked for the version of each object once after its array was opened. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ZERO;

    private static final long DEFAULT_BYTES = 10L << 30;
    private static final Pattern MISSPELT = Pattern.compile(".+:\\s*\\d[^/]*");
    private static final Pattern TEXT =
            Pattern.compile("(.+):(\\d{1,6})([MGT])(?::(\\d{1,5})([dhm]))?");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("d", ChronoUnit.DAYS, "h", ChronoUnit.HOURS, "m", ChronoUnit.MINUTES);

    private DiskCacheOptions(Path folder, long bytesMax, Duration maxAge) {
        this(folder, bytesMax, maxAge, DEFAULT_UNUSED_MAX);
    }

    /**
     * {@return the cache that a text names}
     *
     * @param text a folder, and perhaps a size in MiB, GiB or TiB and a maximum age in days, hours
     *     or minutes: {@code /scratch/zarr:200G:7d}; 10 GiB without a size
     * @throws IllegalArgumentException if it is no path, or the size is 0
     */
    public static DiskCacheOptions parse(String text) {
        Matcher sized = TEXT.matcher(text);
        if (!sized.matches()) {
            if (MISSPELT.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "a disk cache is FOLDER, FOLDER:SIZE or FOLDER:SIZE:AGE; the size is a number"
                                + " with M, G or T, the age one with d, h or m: "
                                + text);
            }
            return new DiskCacheOptions(Path.of(text), DEFAULT_BYTES, DEFAULT_MAX_AGE);
        }
        int shift = 20 + 10 * "MGT".indexOf(sized.group(3));
        long bytes = Long.parseLong(sized.group(2)) << shift;
        if (bytes == 0) {
            throw new IllegalArgumentException("a disk cache cannot have 0 bytes: " + text);
        }
        Duration maxAge =
                sized.group(4) == null
                        ? DEFAULT_MAX_AGE
                        : Duration.of(Long.parseLong(sized.group(4)), UNITS.get(sized.group(5)));
        return new DiskCacheOptions(Path.of(sized.group(1)), bytes, maxAge);
    }
}
