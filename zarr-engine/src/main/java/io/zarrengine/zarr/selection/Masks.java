package io.zarrengine.zarr.selection;

/** Boolean masks of selected elements. */
public final class Masks {
    private Masks() {}

    /**
     * {@return the positions of a mask that are true}
     *
     * @param mask one element for each position
     */
    public static long[] positions(boolean[] mask) {
        int wanted = 0;
        for (boolean value : mask) {
            wanted += value ? 1 : 0;
        }
        long[] positions = new long[wanted];
        int at = 0;
        for (int i = 0; i < mask.length; i++) {
            if (mask[i]) {
                positions[at++] = i;
            }
        }
        return positions;
    }
}
