package io.zarrengine.uring;

/**
 * Decides which files are mapped, and when. Below 1 MiB, reading a file is as fast as mapping and
 * unmapping it. Mapping a larger file, touching its pages and unmapping it takes about as long as
 * reading it, so a file is mapped once twice its size has been requested.
 *
 * @param fileBytesMin the smallest file that is mapped, in bytes
 * @param isAtOnce whether files are mapped when they are first read
 */
public record MappingRule(long fileBytesMin, boolean isAtOnce) {
    static final MappingRule USEFUL = new MappingRule(1 << 20, false);

    /**
     * Size in bytes of the smallest file that is mapped, then already at its first read; {@code
     * off} maps no file. For tests, and to rule out mapping as the cause of a problem.
     */
    private static final String PROPERTY = "io.zarrengine.mapping";

    /**
     * {@return the configured rule, or the default}
     *
     * @throws IllegalArgumentException if the property cannot be parsed
     */
    static MappingRule configured() {
        String value = System.getProperty(PROPERTY);
        if (value == null) {
            return USEFUL;
        }
        try {
            return new MappingRule(
                    value.equals("off") ? Long.MAX_VALUE : Long.parseLong(value), true);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    PROPERTY + " is \"" + value + "\", expected \"off\" or a number of bytes", e);
        }
    }

    /**
     * {@return whether so much of a file, or of a part of it, was requested that mapping pays}
     *
     * @param askedBytes bytes requested so far
     * @param byteSize its length in bytes
     */
    public boolean isDue(long askedBytes, long byteSize) {
        return isAtOnce || askedBytes > 2 * byteSize;
    }
}
