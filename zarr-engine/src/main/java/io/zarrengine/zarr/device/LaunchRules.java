package io.zarrengine.zarr.device;

/**
 * When the batch that is filled is launched, though it has room for more: {@link BatchSizes} says
 * how large it had better be, and this, how long that is worth waiting for. Nothing here keeps the
 * time. Owner: a device's batches.
 */
final class LaunchRules {
    /** What is known while a batch is filled. */
    interface View {
        /** {@return how many batches are launched and not done} */
        int launched();

        /** {@return chunks in the batch; 0: none is filled} */
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

        /** {@return in how many nanoseconds the device decodes one chunk, and so any batch} */
        double nanosLeast();

        /** {@return for how many nanoseconds the batch waits, with nothing launched} */
        long idleNanos();

        /** {@return for how many nanoseconds nothing has come, nor gone} */
        long stillNanos();
    }

    /** One is decoded, one waits behind it. */
    private static final int LAUNCHED_MAX = 2;

    /** How long an idle device waits for more chunks than there are: a tenth of a launch. */
    private static final long LINGER_NANOS = 200_000;

    /** The same, if enough for a batch are on their way: filling the first slots takes 2 ms. */
    private static final long LINGER_FOR_MANY_NANOS = 3_000_000;

    private final BatchSizes sizes;
    private final View view;

    LaunchRules(BatchSizes sizes, View view) {
        this.sizes = sizes;
        this.view = view;
    }

    /**
     * {@return whether the batch goes without the next slot, for which it may have room}
     *
     * @param next chunks of that
     */
    boolean endsBefore(int next) {
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
    boolean isFirst() {
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
    boolean isDue(boolean isHandedOver, boolean isAwaited) {
        if (view.chunks() == 0 || view.launched() >= LAUNCHED_MAX) {
            return false;
        }
        boolean isAll = view.chunks() >= BatchSizes.CHUNKS_MIN && view.toCome() == 0;
        return view.launched() == 0
                ? isAll || isHandedOver || isAwaited || isFirst() || isLate() || isStill()
                : isAll && isHandedOver;
    }

    /**
     * What is here has waited for as long as the device would have taken for a part of it; or twice
     * as long, if what makes it large enough is near.
     */
    private boolean isLate() {
        long idle = view.idleNanos();
        if (idle <= LINGER_FOR_MANY_NANOS) {
            return false;
        }
        double linger = Math.max(LINGER_FOR_MANY_NANOS, view.nanosLeast());
        boolean isNear = view.nanosFor(missing()) < linger / 2;
        return idle > (isNear ? 2 * linger : linger);
    }

    /** {@return whether a device that has nothing to do takes what workers have begun} */
    boolean isMissed() {
        return view.launched() == 0 && isStill();
    }

    /** Nothing has come for a while. */
    private boolean isStill() {
        boolean isMuchToCome = view.toCome() >= BatchSizes.CHUNKS_MIN;
        return view.stillNanos() > (isMuchToCome ? LINGER_FOR_MANY_NANOS : LINGER_NANOS);
    }
}
