package io.zarrengine.gpu.tuning;

/**
 * Waits until the open batch is as large as {@link BatchSizes} computes, for a limited time. Reads
 * no clock.
 */
final class WaveLaunchRule implements LaunchRule {
    /** One batch is decoded, one waits after it. */
    private static final int LAUNCHED_MAX = 2;

    /** The time that an open batch waits for more chunks. Filling the first slots takes 2 ms. */
    private static final double LINGER_NANOS = 3_000_000;

    /**
     * The longest such wait, for chunks that take the device longer. A caller may be waiting for a
     * small read, too.
     */
    private static final double LINGER_NANOS_MAX = 20_000_000;

    /**
     * The time that the batch waits if no chunks arrive, as a share of the device's time for one
     * chunk.
     */
    private static final double PAUSE_SHARE = 0.1;

    /** The shortest such wait. */
    private static final double PAUSE_NANOS_MIN = 200_000;

    private final BatchSizes sizes;
    private final View view;

    WaveLaunchRule(BatchSizes sizes, View view) {
        this.sizes = sizes;
        this.view = view;
    }

    @Override
    public boolean endsBefore(int next) {
        return view.chunks() > 0
                && view.launched() < LAUNCHED_MAX
                && sizes.isWhole(view.chunks(), next)
                && !(fitsAll() && comesInTime());
    }

    private boolean fitsAll() {
        return BatchSizes.fits(view.chunks(), view.share(), view.toCome());
    }

    /**
     * Returns whether all chunks to come arrive before the device has finished its current batch.
     */
    private boolean comesInTime() {
        return view.launched() > 0
                && view.toCome() > 0 // otherwise more arrived than expected
                && view.nanosFor(view.toCome()) < view.nanosLeft();
    }

    @Override
    public boolean isFirst() {
        return view.launched() == 0 && view.toCome() > 0 && missing() == 0;
    }

    private long missing() {
        return sizes.missing(view.chunks(), view.share(), view.toCome());
    }

    @Override
    public boolean isDue(boolean isHandedOver, boolean isAwaited) {
        if (view.chunks() == 0 || view.launched() >= LAUNCHED_MAX) {
            return false;
        }
        boolean isAll = view.chunks() >= BatchSizes.CHUNKS_MIN && view.toCome() == 0;
        return view.launched() == 0
                ? isAll || isHandedOver || isAwaited || isFirst() || isLate() || isStill()
                : isAll && isHandedOver;
    }

    /**
     * Returns whether the batch has waited too long; twice as long is allowed if the missing chunks
     * are near.
     */
    private boolean isLate() {
        long idle = view.idleNanos();
        return idle > LINGER_NANOS && idle > (isNear() ? 2 * lingerNanos() : lingerNanos());
    }

    /**
     * Returns the wait in nanoseconds: the device's time for its largest chunk, within limits.
     * Waiting this long may double the time until the chunk is decoded.
     */
    private double lingerNanos() {
        return Math.clamp(view.nanosLeast(), LINGER_NANOS, LINGER_NANOS_MAX);
    }

    /**
     * Returns whether the missing chunks arrive soon. False if there is nothing to decode, because
     * a launch costs nothing then.
     */
    private boolean isNear() {
        if (view.nanosLeast() <= 0) {
            return false;
        }
        long missing = missing();
        return missing > 0 && view.nanosFor(missing) < lingerNanos() / 2;
    }

    @Override
    public boolean takesBegunSlots() {
        return view.launched() == 0 && isStill();
    }

    /** Returns whether nothing has arrived for a while. */
    private boolean isStill() {
        long still = view.stillNanos();
        if (still <= PAUSE_NANOS_MIN) {
            return false;
        }
        boolean isMuchToCome = view.toCome() >= BatchSizes.CHUNKS_MIN;
        double pause = Math.clamp(PAUSE_SHARE * view.nanosLeast(), PAUSE_NANOS_MIN, LINGER_NANOS);
        return still > (isMuchToCome || isNear() ? LINGER_NANOS : pause);
    }
}
