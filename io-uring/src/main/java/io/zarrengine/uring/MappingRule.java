package io.zarrengine.uring;

/**
 * Which files are mapped, and when. Below 1 MiB a file is read as fast as it is mapped and
 * unmapped; and to map a file, touch its pages and unmap it takes about as long as to read it, so
 * that is done once twice as much of it was asked for as there is.
 *
 * @param fileBytesMin the smallest file that is mapped, in bytes
 * @param isAtOnce whether files are mapped when they are first read
 */
public record MappingRule(long fileBytesMin, boolean isAtOnce) {
    static final MappingRule USEFUL = new MappingRule(1 << 20, false);

    /**
     * The smallest file that is mapped, in bytes, and when it is first read; {@code off} for none.
     * For tests, and for whoever suspects it.
     */
    private static final String PROPERTY = "io.zarrengine.mapping";

    /**
     * {@return what is configured, or what is of use}
     *
     * @throws IllegalArgumentException if nobody understands it
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
     * {@return whether as much was asked for of a file, or of a part of it, as it takes to map it}
     *
     * @param askedBytes so far
     * @param byteSize how long it is, in bytes
     */
    public boolean isDue(long askedBytes, long byteSize) {
        return isAtOnce || askedBytes > 2 * byteSize;
    }
}
