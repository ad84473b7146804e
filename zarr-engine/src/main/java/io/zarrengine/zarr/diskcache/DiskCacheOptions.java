package io.zarrengine.zarr.diskcache;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a cache is, and how large.
 *
 * @param folder its folder; other processes may use it at the same time
 * @param bytesMax most bytes of the disk, {@code > 0}
 * @param maxAge how long a version counts as the current one without asking its server, {@code >=
 *     0}
 */
public record DiskCacheOptions(Path folder, long bytesMax, Duration maxAge) {}
