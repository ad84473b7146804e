package io.zarrengine.bench.compare;

/** Arrays with the same elements, stored in several ways. */
enum Family {
    /** Satellite images: time, y, x, band. */
    SAT(new Texture(1400, 60, 900, 34, 0)),
    /** A microscope's volume. */
    VOL(new Texture(110, 18, 300, 9.7, 0.17)),
    /** Weather: time, level, latitude, longitude; a chunk is a level at a time. */
    ERA(new Texture(260, 12, 700, 0.6, 0)),
    /** What zarrs/zarr_benchmarks reads as a whole. */
    WHOLE(new Texture(700, 60, 1500, 1.2, 0));

    private final Texture texture;

    Family(Texture texture) {
        this.texture = texture;
    }

    Texture texture() {
        return texture;
    }

    long seed() {
        return ordinal();
    }
}
