package io.zarrengine.bench.gpu;

import java.util.Map;

/**
 * What others are known to reach, though not in this run: damacy of June 2026 on an H200 with 16
 * cores, the same crops of an array of the same shape, in the page cache.
 */
final class Published {
    /** How many times as fast the engine is to be. */
    static final double TIMES_AIM = 8;

    private static final String DAMACY = "damacy (another run), decoded for crops";

    private Published() {}

    /** {@return GB/s by the kind of read; what it decodes is more than it delivers} */
    static Map<String, Double> rates(GpuEncoding encoding) {
        return switch (encoding) {
            case ZSTD -> Map.of(DAMACY, 7.5);
            case BLOSC_ZSTD -> Map.of(DAMACY, 9.0);
            default -> Map.of();
        };
    }

    static boolean isOf(String name) {
        return name.equals(DAMACY);
    }
}
