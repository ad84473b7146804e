package io.zarrengine.zarr.json;

/**
 * The names of numcodecs' codecs: an id in Zarr v2, which zarr-python writes with a prefix in v3.
 *
 * @see <a href="https://numcodecs.readthedocs.io">numcodecs</a>
 */
public final class Numcodecs {
    private static final String PREFIX = "numcodecs.";

    private Numcodecs() {}

    /**
     * {@return the name in v3}
     *
     * @param id the name in v2
     */
    public static String name(String id) {
        return PREFIX + id;
    }

    /**
     * {@return a name without the prefix}
     *
     * @param name of any codec, also of one without the prefix
     */
    public static String id(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }
}
