package io.zarrengine.bench.compare;

import java.util.Locale;

/** Arrays with the same elements, stored in several ways. */
enum Family {
    /** Satellite images: time, y, x, band. */
    SAT(new Texture(1408, 25, 900, 36, 0)),
    /** A microscope's volume. */
    VOL(new Texture(110, 18, 300, 9.7, 0.27)),
    /** Weather: time, level, latitude, longitude; a chunk is a level at a time. */
    ERA(new Texture(260, 12, 700, 0.6, 0)),
    /** What zarrs/zarr_benchmarks reads as a whole. */
    WHOLE(new Texture(700, 20, 1500, 0.6, 0));

    private final Texture texture;

    Family(Texture texture) {
        this.texture = texture;
    }

    Texture texture() {
        return texture;
    }

    /** {@return its name, also of files} */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    long seed() {
        return ordinal();
    }
}
