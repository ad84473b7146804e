package io.zarrengine.zarr.metrics;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * An event of JDK Flight Recorder for a round of a worker: one submission, or two if the arrived
 * data is in lent memory, and one burst of decoding.
 */
@Name("io.zarrengine.Work")
@Label("Work")
@Category("zarr-engine")
@Description("What a worker submitted, waited for and decoded at once")
@StackTrace(false)
@Threshold("1 ms")
public final class WorkEvent extends Event {
    @Label("Reads in Flight")
    public int readsInFlight;

    @Label("Reads Arrived")
    @Description("Not decoded yet")
    public int readsArrived;

    @Label("Window")
    @Description("How much may be under way")
    @DataAmount
    public long windowBytes;

    @Label("Plan Time")
    @Description("Planning, looking up and opening")
    @Timespan
    public long planTime;

    @Label("Read Time")
    @Description("Submitting reads and waiting for them, or for work")
    @Timespan
    public long readTime;

    @Label("Decode Time")
    @Description("Decoding and placing")
    @Timespan
    public long decodeTime;
}
