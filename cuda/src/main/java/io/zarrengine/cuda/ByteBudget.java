package io.zarrengine.cuda;

/**
 * Counts device memory against a limit. Rounds sizes up as the driver does, so that both counts
 * agree.
 */
final class ByteBudget {
    /** The alignment of cudaMalloc in bytes, and the smallest size of an allocation. */
    static final long ALIGNMENT_BYTES = 256;

    private final long limitBytes;
    private long usedBytes;

    ByteBudget(long limitBytes) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes");
        }
        this.limitBytes = limitBytes;
    }

    /** Reserves bytes. Returns the reserved size: {@code bytes}, rounded up. */
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
