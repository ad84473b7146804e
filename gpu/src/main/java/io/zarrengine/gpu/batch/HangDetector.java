package io.zarrengine.gpu.batch;

/**
 * Adds up how long a busy device says nothing: damaged input may make a decoder run for ever.
 * Owner: the pump.
 */
final class HangDetector {
    /** A batch takes 100 ms at most. */
    private static final long HANG_NANOS = 10_000_000_000L;

    /** Longer between two questions was a pause of this process, not the device's silence. */
    private static final long QUESTION_NANOS_MAX = 100_000_000;

    private long lastAsked = System.nanoTime();
    private long nanos;

    /**
     * Notes that the device was asked.
     *
     * @param answered whether it has done something since, or has nothing to do
     * @throws DeviceHungException if it has been silent for too long
     */
    void listen(boolean answered) throws DeviceHungException {
        long now = System.nanoTime();
        nanos = answered ? 0 : nanos + Math.min(now - lastAsked, QUESTION_NANOS_MAX);
        lastAsked = now;
        if (nanos > HANG_NANOS) {
            throw new DeviceHungException(
                    "no answer in " + HANG_NANOS / 1_000_000_000 + " s; it is given up");
        }
    }
}
