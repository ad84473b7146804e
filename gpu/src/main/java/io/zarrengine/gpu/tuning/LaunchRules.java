package io.zarrengine.gpu.tuning;

/**
 * When the batch that is filled is launched, though it has room for more: {@link BatchSizes} says
 * how large it had better be, and this, how long that is worth waiting for. Nothing here keeps the
 * time. Owner: a device's batches.
 */
public final class LaunchRules {
    /** What is known while a batch is filled. Chunks are counted as a slot counts them. */
    public interface View {
        /** {@return how many batches are launched and not done} */
        int launched();

        /** {@return chunks in the batch, as a slot counts them; 0: none is filled} */
        int chunks();

        /** {@return how much of it they take: of what there is least left of} */
        double share();

        /** {@return about how many chunks no batch has yet} */
        long toCome();

        /**
         * {@return in how many nanoseconds so many come, if as fast as the batch's; it has some}
         */
        double nanosFor(long chunks);

        /** {@return in how many nanoseconds the oldest launched batch is done; there is one} */
        double nanosLeft();

        /**
         * {@return in how many nanoseconds the device decodes one chunk, and so any batch} 0: there
         * is nothing to decode.
         */
        double nanosLeast();

        /** {@return for how many nanoseconds the batch waits, with nothing launched} */
        long idleNanos();

        /** {@return for how many nanoseconds nothing has come, nor gone} */
        long stillNanos();
    }

    /** One is decoded, one waits behind it. */
    private static final int LAUNCHED_MAX = 2;

    /** How long what is here waits while more comes; filling the first slots takes 2 ms. */
    private static final double LINGER_NANOS = 3_000_000;

    /** The same of chunks that take the device longer: somebody may wait for a small one, too. */
    private static final double LINGER_NANOS_MAX = 20_000_000;

    /** How long it waits if nothing comes: a tenth of what the device takes for one chunk... */
    private static final double PAUSE_SHARE = 0.1;

    /** ...and no less than this. */
    private static final double PAUSE_NANOS_MIN = 200_000;

    private final BatchSizes sizes;
    private final View view;

    public LaunchRules(BatchSizes sizes, View view) {
        this.sizes = sizes;
        this.view = view;
    }

    /**
     * {@return whether the batch goes without the next slot, for which it may have room}
     *
     * @param next chunks of that
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

    /** What is to come comes before the device has decoded what it decodes. */
    private boolean comesInTime() {
        return view.launched() > 0
                && view.toCome() > 0 // Else more is here than was thought.
                && view.nanosFor(view.toCome()) < view.nanosLeft();
    }

    /** {@return whether the device waits for a batch, and this one is large enough for it} */
    public boolean isFirst() {
        return view.launched() == 0 && view.toCome() > 0 && missing() == 0;
    }

    private long missing() {
        return sizes.missing(view.chunks(), view.share(), view.toCome());
    }

    /**
     * {@return whether the batch goes as it is}
     *
     * @param isHandedOver no worker has a part of a read
     * @param isAwaited workers wait for what only a batch gives back
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

    /** What is here has waited for long; or twice as long, if what it misses is near. */
    private boolean isLate() {
        long idle = view.idleNanos();
        return idle > LINGER_NANOS && idle > (isNear() ? 2 * lingerNanos() : lingerNanos());
    }

    /** As long as the device takes for a part of what is here, which so takes twice as long. */
    private double lingerNanos() {
        return Math.clamp(view.nanosLeast(), LINGER_NANOS, LINGER_NANOS_MAX);
    }

    /** What is missing comes soon. Where there is nothing to decode, a launch costs nothing. */
    private boolean isNear() {
        if (view.nanosLeast() <= 0) {
            return false;
        }
        long missing = missing();
        return missing > 0 && view.nanosFor(missing) < lingerNanos() / 2;
    }

    /** {@return whether a device that has nothing to do takes what workers have begun} */
    public boolean isMissed() {
        return view.launched() == 0 && isStill();
    }

    /** Nothing has come for a while. */
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
