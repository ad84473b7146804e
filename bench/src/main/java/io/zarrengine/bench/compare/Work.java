package io.zarrengine.bench.compare;

/** The kind of measurement of a scenario. */
enum Work {
    /** From the page cache; decoded chunks are not cached. */
    HOT("GB/s"),
    /** From decoded chunks, all of which are cached. */
    CACHED("GB/s"),
    /** From the device: nothing is in the page cache, or reads are direct. */
    COLD("GB/s"),
    /** One crop at a time, from the page cache. */
    LATENCY("us");

    private final String unit;

    Work(String unit) {
        this.unit = unit;
    }

    String unit() {
        return unit;
    }

    boolean lessIsBetter() {
        return this == LATENCY;
    }
}
