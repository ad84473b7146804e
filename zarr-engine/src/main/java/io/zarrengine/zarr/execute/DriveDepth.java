package io.zarrengine.zarr.execute;

/**
 * The number of bytes that should be in flight to a drive: as few as it needs, because many drives
 * deliver less when more reads wait for them (docs/decisions/landing-memory.md). The depth begins
 * with what is enough for one drive. Now and then it is doubled for a while, which several drives
 * or a distant drive need, or halved if it was doubled before. The new depth stays if it is better
 * than the measures directly before and after it: the rate of a drive varies, and a program is slow
 * when it has just begun.
 *
 * <p>Owner: a {@link LentReads}, which guards it.
 */
final class DriveDepth {
    static final long BYTES_MIN = 3584 << 10;
    static final long BYTES_MAX = 4 * BYTES_MIN;

    /** The bytes of one measure, which also takes {@link #MEASURED_NANOS} at least. */
    static final long MEASURED_BYTES = 64 << 20;

    /** The least time of a measure. In a shorter one, a pause of a thread would count too much. */
    static final long MEASURED_NANOS = 50_000_000;

    /** Bytes that do not count after a change, because reads of the old depth are in flight. */
    private static final long SETTLING_BYTES = 16 << 20;

    /** Measures from one trial to the next; fewer while trials succeed. */
    private static final int PATIENCE = 64;

    private static final int PATIENCE_AT_FIRST = 2;

    /**
     * The rate that a doubled depth must bring, as a multiple. A busy drive gives no more. But if
     * eight engines share a drive, one with twice the depth gets 1.78 times as much.
     */
    private static final double GAIN_MIN = 1.8;

    /** The rate that a halved depth must keep, as a fraction. */
    private static final double LEFT_MIN = 0.9;

    /** The percentage of reads that must end while half of the depth is in use. */
    private static final int USED_MIN = 75;

    private long usual = BYTES_MIN;
    private long bytes = BYTES_MIN;
    private boolean isUp = true; // the direction of this trial, or of the next one
    private int patience = PATIENCE_AT_FIRST;
    private double usualRate; // of the last measure, in bytes per ns
    private double trialRate; // of the last trial, in bytes per ns
    private long settling = SETTLING_BYTES; // bytes that do not count yet
    private long measured;
    private long begin; // of this measure, plus the pauses in it; in ns
    private long paused; // when the last read ended, in ns
    private int reads;
    private int readsOfUse;

    /** {@return the number of bytes that should be in flight} */
    long bytes() {
        return bytes;
    }

    /** Notes that a read begins while none is in flight. */
    void resumed(long now) {
        begin += now - paused;
    }

    /**
     * Notes that a read has ended.
     *
     * @param readBytes its length
     * @param underWay the bytes that were in flight, with this read
     * @param now in ns
     */
    void ended(long readBytes, long underWay, long now) {
        paused = now;
        if (settling > 0) {
            settling -= readBytes;
            beginMeasure(now);
            return;
        }
        measured += readBytes;
        reads++;
        readsOfUse += underWay > bytes / 2 ? 1 : 0;
        if (measured < MEASURED_BYTES || now - begin < MEASURED_NANOS) {
            return;
        }
        double rate = (double) measured / (now - begin);
        boolean isUsed = 100L * readsOfUse >= (long) USED_MIN * reads;
        if (bytes != usual) {
            trialRate = isUsed ? rate : 0;
            set(usual);
        } else if (patience == 0) {
            endTrial(isUsed ? Math.max(usualRate, rate) : Double.MAX_VALUE);
        } else if (isUsed) {
            usualRate = rate;
            patience--;
            if (patience == 0) {
                set(next());
            }
        }
        beginMeasure(now);
    }

    /** {@return the depth of the next trial} */
    private long next() {
        isUp = usual == BYTES_MIN || (isUp && usual < BYTES_MAX);
        return isUp ? 2 * usual : usual / 2;
    }

    /**
     * {@code besideRate}: of the usual depth. After a failure the next trial goes the other way.
     */
    private void endTrial(double besideRate) {
        boolean hasProved = trialRate >= besideRate * (isUp ? GAIN_MIN : LEFT_MIN);
        patience = hasProved ? PATIENCE_AT_FIRST : PATIENCE;
        if (hasProved) {
            usual = next();
        } else {
            isUp = !isUp;
        }
        set(usual);
    }

    private void beginMeasure(long now) {
        measured = 0;
        reads = 0;
        readsOfUse = 0;
        begin = now;
    }

    private void set(long newBytes) {
        settling = newBytes == bytes ? 0 : SETTLING_BYTES;
        bytes = newBytes;
    }
}
