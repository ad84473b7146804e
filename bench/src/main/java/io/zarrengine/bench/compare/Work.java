package io.zarrengine.bench.compare;

/** The kind of measurement of a scenario. */
enum Work {
    /** From the page cache; decoded chunks are not cached. */
    HOT("GB/s"),
    /** From decoded chunks, all of which are cached. */
    CACHED("GB/s"),
    /** From the device: nothing is in the page cache, or reads are direct. */
    COLD("GB/s"),
    /** From a web server on this machine. */
    REMOTE("GB/s"),
    /** From the same server as a bucket of S3, with signatures that it does not check. */
    S3("GB/s"),
    /** From a web server whose bytes come 30 ms later. */
    FAR("GB/s"),
    /** One crop at a time, from the page cache. */
    LATENCY("us");

    private final String unit;

    Work(String unit) {
        this.unit = unit;
    }

    /** {@return the option of workers that read from a server; empty for files} */
    String urlOption() {
        return switch (this) {
            case REMOTE -> "url=BENCH_URL";
            case S3 -> "url=BENCH_S3_URL";
            case FAR -> "url=BENCH_FAR_URL";
            case HOT, CACHED, COLD, LATENCY -> "";
        };
    }

    String unit() {
        return unit;
    }

    boolean lessIsBetter() {
        return this == LATENCY;
    }
}
