package io.zarrengine.gpu.batch;

/**
 * Adds up the time for which a busy device does not answer. Damaged input may make a decoder run
 * forever. Owner: the pump.
 */
final class HangDetector {
    /** The time after which a device counts as hung. A batch takes 100 ms at most. */
    private static final long HANG_NANOS = 10_000_000_000L;

    /**
     * The most that one interval between two polls counts. A longer interval is a pause of this
     * process.
     */
    private static final long POLL_NANOS_MAX = 100_000_000;

    private long lastPolled = System.nanoTime();
    private long nanos;

    /**
     * Notes that the device was polled.
     *
     * @param answered whether it has finished something since the last poll, or is idle
     * @throws DeviceHungException if it has not answered for too long
     */
    void polled(boolean answered) throws DeviceHungException {
        long now = System.nanoTime();
        nanos = answered ? 0 : nanos + Math.min(now - lastPolled, POLL_NANOS_MAX);
        lastPolled = now;
        if (nanos > HANG_NANOS) {
            throw new DeviceHungException(
                    "no answer in " + HANG_NANOS / 1_000_000_000 + " s; it is given up");
        }
    }
}
