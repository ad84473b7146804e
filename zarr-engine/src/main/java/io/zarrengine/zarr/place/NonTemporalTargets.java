package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;

/** Targets that are larger than their share of the caches, so that writing past those is faster. */
public final class NonTemporalTargets {
    /** Assumed size of a cache whose size is unknown. */
    private static final long UNKNOWN_CACHE_BYTES = 32 << 20;

    /**
     * Targets that must fit the last cache together, so that writing through it is faster. Reads
     * that are worth it have several: a loader has a target for each batch that is read ahead.
     */
    private static final long TARGETS = 4;

    /** Smallest target that is written past the caches. Tests set the property. */
    static final long BYTES_MIN =
            Long.getLong(
                    "io.zarrengine.nontemporal.target",
                    LastLevelCache.byteSize().orElse(UNKNOWN_CACHE_BYTES) / TARGETS);

    private NonTemporalTargets() {}

    /**
     * {@return whether a target is one of them}
     *
     * @param target all of it, not a part
     */
    public static boolean contain(MemorySegment target) {
        return target.byteSize() >= BYTES_MIN;
    }
}
