package io.zarrengine.cuda;

/**
 * Counts device memory. Sizes are rounded up as the driver rounds them, so that the count is its
 * count.
 */
final class ByteBudget {
    /** What cudaMalloc aligns to, and what each allocation takes up at least. */
    static final long ALIGNMENT_BYTES = 256;

    private final long limitBytes;
    private long usedBytes;

    ByteBudget(long limitBytes) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes");
        }
        this.limitBytes = limitBytes;
    }

    /** Returns what was taken: {@code bytes}, rounded up. */
    long take(long bytes) throws DeviceBudgetException {
        if (bytes <= 0) {
            throw new IllegalArgumentException(bytes + " bytes");
        }
        if (bytes > availableBytes() || rounded(bytes) > availableBytes()) {
            throw new DeviceBudgetException(bytes, availableBytes(), limitBytes);
        }
        usedBytes += rounded(bytes);
        return rounded(bytes);
    }

    void release(long roundedBytes) {
        assert roundedBytes <= usedBytes : roundedBytes + " of " + usedBytes + " bytes";
        usedBytes -= roundedBytes;
    }

    long limitBytes() {
        return limitBytes;
    }

    long usedBytes() {
        return usedBytes;
    }

    long availableBytes() {
        return limitBytes - usedBytes;
    }

    private static long rounded(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
