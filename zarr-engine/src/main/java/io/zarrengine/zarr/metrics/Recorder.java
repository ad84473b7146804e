package io.zarrengine.zarr.metrics;

import jdk.jfr.FlightRecorder;

/**
 * The state of JDK Flight Recorder. The first event that is created costs 100 ms of initialization.
 */
public final class Recorder {
    private Recorder() {}

    /** {@return whether a recording is or was active; without one, no event is recorded} */
    public static boolean isInUse() {
        return FlightRecorder.isInitialized();
    }
}
