package io.zarrengine.cuda;

/** Repeats a value of up to 8 bytes to fill 8 bytes. */
final class FillPattern {
    private FillPattern() {}

    /** {@code bytes} is 1, 2, 4, 8 or 16. For 16, {@code value} is the first 8 bytes. */
    static long low(long value, int bytes) {
        return switch (bytes) {
            case 1 -> (value & 0xffL) * 0x0101_0101_0101_0101L;
            case 2 -> (value & 0xffffL) * 0x0001_0001_0001_0001L;
            case 4 -> (value & 0xffff_ffffL) * 0x0000_0001_0000_0001L;
            default -> value;
        };
    }
}
