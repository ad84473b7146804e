package io.zarrengine.bench.compare;

/** What is measured of a scenario. */
enum Work {
    /** From the page cache; decoded chunks are not kept. */
    HOT("GB/s"),
    /** Decoded chunks are kept, all of them. */
    CACHED("GB/s"),
    /** From the device: nothing is in the page cache, or it is gone around. */
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
