package io.zarrengine.zarr.execute;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A request in a recording of JDK Flight Recorder: from when it was submitted until it has ended.
 */
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

    @Label("Failure")
    String failure; // null: it ended well
}
