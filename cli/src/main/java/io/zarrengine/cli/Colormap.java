package io.zarrengine.cli;

/** Maps a number between 0 and 1 to a colour, linearly between a few anchors. */
enum Colormap {
    /** Black to white. */
    GRAY(0x000000, 0xffffff),

    /** Dark violet to yellow, perceptually uniform. */
    VIRIDIS(
            0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58,
            0xb5de2b, 0xfde725),

    /** Black through red and yellow to white. */
    INFERNO(
            0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06,
            0xf7d13d, 0xfcffa4),

    /** Blue through white to red, for values around a middle. */
    RDBU(
            0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582,
            0xd6604d, 0xb2182b, 0x67001f);

    /** The colour of NaN; in none of the maps. */
    static final int NAN_RGB = 0x808080;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final int[] anchors;

    Colormap(int... anchors) {
        this.anchors = anchors;
    }

    /**
     * {@return a colour, 8 bits each of red, green and blue}
     *
     * @param value 0 to 1; other values are clamped
     */
    int rgb(double value) {
        if (Double.isNaN(value)) {
            return NAN_RGB;
        }
        double position = Math.clamp(value, 0.0, 1.0) * (anchors.length - 1);
        int from = Math.min((int) position, anchors.length - 2);
        double share = position - from;
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int low = (anchors[from] >> shift) & 0xff;
            int high = (anchors[from + 1] >> shift) & 0xff;
            rgb |= (int) Math.round(low + share * (high - low)) << shift;
        }
        return rgb;
    }
}
