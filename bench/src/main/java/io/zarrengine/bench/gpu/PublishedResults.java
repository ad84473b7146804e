package io.zarrengine.bench.gpu;

import java.util.Map;

/**
 * Results that others published, not from this run: damacy of June 2026 on an H200 with 16 cores,
 * the same crops of an array of the same shape, in the page cache.
 */
final class PublishedResults {
    /** Target of the engine's speed, relative to these. */
    static final double TIMES_AIM = 8;

    private static final String DECODED = "damacy (another run), all that it decodes";
    private static final String DELIVERED = "damacy (another run), crops";

    private PublishedResults() {}

    /**
     * {@return GB/s by the kind of read; for crops, damacy decodes twice the bytes that it
     * delivers}
     */
    static Map<String, Double> rates(GpuEncoding encoding) {
        return switch (encoding) {
            case ZSTD -> Map.of(DECODED, 7.5, DELIVERED, 3.4);
            case BLOSC_ZSTD -> Map.of(DECODED, 9.0, DELIVERED, 4.05);
            default -> Map.of();
        };
    }

    static boolean isOf(String name) {
        return name.equals(DECODED) || name.equals(DELIVERED);
    }
}
