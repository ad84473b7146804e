package io.zarrengine.zarr.metrics;

import jdk.jfr.FlightRecorder;

/** Access to JDK Flight Recorder, which takes 100 ms to initialize at the first event. */
public final class Recorder {
    private Recorder() {}

    /** {@return whether a recording is or was running; otherwise no event would be seen} */
    public static boolean isInUse() {
        return FlightRecorder.isInitialized();
    }
}
