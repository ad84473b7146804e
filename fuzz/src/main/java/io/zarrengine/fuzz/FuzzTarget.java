package io.zarrengine.fuzz;

/** Something that parses bytes which anyone may have written. */
@FunctionalInterface
interface FuzzTarget {
    /**
     * Parses an input. Returns if it is refused in the way that is promised, or accepted; whatever
     * else happens is a bug.
     */
    void run(byte[] input);
}
