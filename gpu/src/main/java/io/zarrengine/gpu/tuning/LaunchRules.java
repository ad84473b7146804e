package io.zarrengine.gpu.tuning;

/**
 * Decides when the open batch is launched although it has room for more. {@link BatchSizes}
 * computes how large it should be; this class decides how long to wait for that. It reads no clock.
 * Owner: a device's batches.
 */
public final class LaunchRules {
    /** The state of the batches, while one is filled. Chunks are counted as a slot counts them. */
    public interface View {
        /** {@return the number of batches that are launched and not done} */
        int launched();

        /**
         * {@return the number of chunks in the open batch, as a slot counts them; 0: no batch is
         * open}
         */
        int chunks();

        /** {@return the used share of the open batch's scarcest resource} */
        double share();

        /** {@return the approximate number of chunks that are in no batch yet} */
        long toCome();

        /**
         * {@return the nanoseconds until more chunks arrive, at the rate of the open batch, which
         * has some}
         */
        double nanosFor(long chunks);

        /** {@return the nanoseconds until the oldest launched batch is done; there must be one} */
        double nanosLeft();

        /**
         * {@return the nanoseconds that the device takes to decode one chunk, and so any batch} 0
         * if there is nothing to decode.
         */
        double nanosLeast();

        /** {@return the nanoseconds for which the open batch has waited with nothing launched} */
        long idleNanos();

        /** {@return the nanoseconds since a slot last arrived or a batch last finished} */
        long stillNanos();
    }

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

    public LaunchRules(BatchSizes sizes, View view) {
        this.sizes = sizes;
        this.view = view;
    }

    /**
     * {@return whether the batch is launched without the next slot, even if it has room}
     *
     * @param next the number of chunks in the next slot
     */
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

    /** {@return whether the device is idle and the batch is large enough for it} */
    public boolean isFirst() {
        return view.launched() == 0 && view.toCome() > 0 && missing() == 0;
    }

    private long missing() {
        return sizes.missing(view.chunks(), view.share(), view.toCome());
    }

    /**
     * {@return whether the batch is launched as it is}
     *
     * @param isHandedOver whether no worker has a part of a read
     * @param isAwaited whether workers wait for memory that only a finished batch gives back
     */
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

    /** {@return whether an idle device should take the slots that workers have begun} */
    public boolean isMissed() {
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
