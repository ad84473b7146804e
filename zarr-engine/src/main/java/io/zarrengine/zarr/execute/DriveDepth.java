package io.zarrengine.zarr.execute;

/**
 * How many bytes should be under way of a drive: the fewest that it needs, since many drives give
 * less when more wait for them (docs/decisions/landing-memory.md). It begins with what is enough
 * for one drive. Now and then it is doubled for a while, as several drives or a long way to them
 * need, or halved where it was doubled before. That stays if it has proved itself beside what was
 * measured before and behind it: a drive has its moods, and a program that has just begun is slow.
 *
 * <p>Owner: a {@link LentReads}, which guards it.
 */
final class DriveDepth {
    static final long BYTES_MIN = 3584 << 10;
    static final long BYTES_MAX = 4 * BYTES_MIN;

    /** What is compared: how long so much takes, and no less than {@link #MEASURED_NANOS}. */
    static final long MEASURED_BYTES = 64 << 20;

    /** Or one pause of a thread would seem to be the drive's. */
    static final long MEASURED_NANOS = 50_000_000;

    /** Before: reads of another depth are still under way. */
    private static final long SETTLING_BYTES = 16 << 20;

    /** From one trial to the next, in measures; fewer while they succeed. */
    private static final int PATIENCE = 64;

    private static final int PATIENCE_AT_FIRST = 2;

    /**
     * What a doubled depth must bring. Nothing is gained of a drive that is busy; but where eight
     * engines share one, that of them with twice the depth gets 1.78 times as much.
     */
    private static final double GAIN_MIN = 1.8;

    /** And what a halved one must leave. */
    private static final double LEFT_MIN = 0.9;

    /** Of the reads that end, those that must find half of the depth used, in percent. */
    private static final int USED_MIN = 75;

    private long usual = BYTES_MIN;
    private long bytes = BYTES_MIN;
    private boolean isUp = true; // where the next trial goes, or this one
    private int patience = PATIENCE_AT_FIRST;
    private double usualRate; // bytes per ns, of the last measure
    private double trialRate; // likewise, of the trial that is over
    private long settling = SETTLING_BYTES; // do not count yet
    private long measured;
    private long begin; // of this measure, later by the pauses in it; this and the next in ns
    private long paused; // since when nothing is under way
    private int reads;
    private int readsOfUse;

    /** {@return how many bytes should be under way} */
    long bytes() {
        return bytes;
    }

    /** Learns that a read begins while nothing is under way. */
    void resumed(long now) {
        begin += now - paused;
    }

    /**
     * Learns that a read has ended.
     *
     * @param readBytes how long it was
     * @param underWay bytes, with it
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

    /** {@return what is to be tried} */
    private long next() {
        isUp = usual == BYTES_MIN || (isUp && usual < BYTES_MAX);
        return isUp ? 2 * usual : usual / 2;
    }

    /** {@code besideRate}: of the usual depth. What failed is tried the other way next. */
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
