package io.zarrengine.zarr.metrics;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** An event of JDK Flight Recorder for a request, from its submission to its end. */
@Name("io.zarrengine.Read")
@Label("Read")
@Category("zarr-engine")
@Description("A read of a part of an array")
@StackTrace(false)
final class ReadEvent extends Event {
    @Label("Array")
    String array;

    @Label("Chunks")
    @Description("Chunks of the grid that it touches: shards, if the array is sharded")
    long chunks;

    @Label("Target Size")
    @DataAmount
    long targetBytes;

    @Label("Bytes Read")
    @Description("Of files, with gaps and padding; without indexes, and what a sink read itself")
    @DataAmount
    long bytesRead;

    @Label("Bytes Decoded")
    @Description("Also what was decoded beside what was wanted")
    @DataAmount
    long bytesDecoded;

    @Label("Amplification")
    @Description("Bytes decoded for each byte of the target")
    float amplification;

    @Label("Read Time")
    @Description("From when each of its reads was queued until it ended, summed over them")
    @Timespan
    long readTime;

    @Label("Decode Time")
    @Description("Decoding and placing, summed over the threads; mapped files are read by it")
    @Timespan
    long decodeTime;

    @Label("Failure")
    String failure; // null if it succeeded
}
