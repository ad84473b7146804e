package io.zarrengine.gpu.batch;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Flight Recorder event of one device batch. It lasts from the first slot that joined the batch
 * until the device thread found the batch done. Times on the device are in milliseconds, from CUDA
 * events.
 */
@Name("io.zarrengine.DeviceBatch")
@Label("Device Batch")
@Category("zarr-engine")
@Description("Chunks that a GPU decoded and placed in one go")
@StackTrace(false)
final class DeviceBatchEvent extends Event {
    @Label("Chunks")
    int chunks;

    @Label("Bytes")
    @Description("That were copied to the device")
    @DataAmount
    long bytes;

    @Label("Describe Time")
    @Description("What the device's thread took to describe the chunks")
    @Timespan(Timespan.NANOSECONDS)
    long describeTime;

    @Label("Copy Time")
    @Description("From the first copy's beginning to the last one's end, in milliseconds")
    float copyTime;

    @Label("Decode Begin")
    @Description("After the first copy's beginning, in milliseconds")
    float decodeBegin;

    @Label("Decode Time")
    @Description("In milliseconds")
    float decodeTime;

    @Label("Place Time")
    @Description("In milliseconds")
    float placeTime;
}
