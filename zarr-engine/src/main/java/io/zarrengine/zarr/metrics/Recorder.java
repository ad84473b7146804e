package io.zarrengine.zarr.metrics;

import jdk.jfr.FlightRecorder;

/** JDK Flight Recorder, which takes 100 ms to get ready when the first event is made. */
public final class Recorder {
    private Recorder() {}

    /** {@return whether there is, or was, a recording: else nobody would see an event} */
    public static boolean isInUse() {
        return FlightRecorder.isInitialized();
    }
}
