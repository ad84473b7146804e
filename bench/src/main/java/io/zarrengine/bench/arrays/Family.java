package io.zarrengine.bench.arrays;

import java.util.Locale;

/** Arrays with the same elements, stored in several ways. */
public enum Family {
    /** Satellite images: time, y, x, band. */
    SAT(0),
    /** A microscope's volume. */
    VOL(1),
    /** Weather: time, level, latitude, longitude; a chunk is a level at a time. */
    ERA(2),
    /** The array that zarrs/zarr_benchmarks reads as a whole. */
    WHOLE(3);

    private final long seed;

    Family(long seed) {
        this.seed = seed;
    }

    long seed() {
        return seed;
    }

    /** {@return its name, used for files too} */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the texture, chosen by its compression ratio: sat 1.8 with zstd and 1.9 with
     * blosc-lz4, vol 1.8 and 1.2, era 2.4, whole 5 with zstd.
     */
    Texture texture() {
        return switch (this) {
            case SAT -> new Texture(1408, 25, 900, 36, 0);
            case VOL -> new Texture(110, 18, 300, 9.7, 0.27);
            case ERA -> new Texture(260, 12, 700, 0.6, 0);
            case WHOLE -> new Texture(700, 20, 1500, 0.6, 0);
        };
    }
}
