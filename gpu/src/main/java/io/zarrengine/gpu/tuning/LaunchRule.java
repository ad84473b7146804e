package io.zarrengine.gpu.tuning;

/**
 * Decides when the open batch is launched although it has room for more. {@link WaveLaunchRule}
 * waits for a batch of good size; {@link FixedLaunchRule} is its twin, which waits for nothing.
 * Owner: a device's batches. Threads: the device's.
 */
public interface LaunchRule {
    /** The state of the batches, while one is filled. Chunks are counted as a slot counts them. */
    interface View {
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

    /**
     * {@return the rule of a device}
     *
     * @param multiprocessors the number on the device
     */
    static LaunchRule of(DeviceOptions options, int multiprocessors, View view) {
        return options.launchesAtOnce()
                ? new FixedLaunchRule(view)
                : new WaveLaunchRule(new BatchSizes(multiprocessors), view);
    }

    /**
     * {@return whether the batch is launched without the next slot, even if it has room}
     *
     * @param next the number of chunks in the next slot
     */
    boolean endsBefore(int next);

    /** {@return whether the device is idle and the batch is large enough for it} */
    boolean isFirst();

    /**
     * {@return whether the batch is launched as it is}
     *
     * @param isHandedOver whether no worker has a part of a read
     * @param isAwaited whether workers wait for memory that only a finished batch gives back
     */
    boolean isDue(boolean isHandedOver, boolean isAwaited);

    /** {@return whether an idle device should take the slots that workers have begun} */
    boolean takesBegunSlots();
}
