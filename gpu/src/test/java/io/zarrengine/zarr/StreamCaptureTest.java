package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * A caller captures a graph in a stream. Fails if that takes the device out of service, or if a
 * call of the engine makes the graph invalid.
 */
@NeedsDevice
final class StreamCaptureTest extends CallersStreamSetup {
    private static final String REFUSAL = "captures a graph, of which a read cannot be a part";
    private static final long DEFAULT_STREAM = 1;

    private long handle() {
        return stream.handle().address();
    }

    private DeviceTensor read() {
        return array.readAsync(Selection.all(), DEVICE).join();
    }

    private static Target over(DeviceTensor tensor) {
        return DEVICE.into(tensor.pointer(), tensor.byteSize());
    }

    /** Fault: an event of the graph is queried, which CUDA refuses, and the device is given up. */
    @Test
    void aReadAfterAStreamThatCapturesFailsAlone() throws IOException {
        try (DeviceTensor memory = read()) {
            Target target = over(memory).after(handle());
            Captures.begin(device, handle());
            DeviceTensors.assertRefuses(array, target, REFUSAL);
            Captures.end(device, handle());
            try (DeviceTensor read = array.readAsync(Selection.all(), target).join()) {
                DeviceTensors.assertHolds(sample.all(), read);
            }
        }
        DeviceTensors.assertReadsAll(array, sample.all());
    }

    /** Fault: the default stream is asked, though a stream captures for which it would wait. */
    @Test
    void theDefaultStreamIsRefusedWhileOneCapturesForWhichItWaits() throws IOException {
        long blocking = Captures.openBlocking(device);
        try (DeviceTensor memory = read()) {
            Captures.begin(device, blocking);
            DeviceTensors.assertRefuses(array, over(memory).after(DEFAULT_STREAM), REFUSAL);
            DeviceTensor freed = read();
            freed.recordStream(DEFAULT_STREAM);
            freed.close();
            DeviceTensors.assertReadsAll(array, sample.all());
            Captures.end(device, blocking);
        } finally {
            Captures.close(device, blocking);
        }
        DeviceTensors.assertReadsAll(array, sample.all());
    }

    /**
     * Fault: the work before the capture is not waited for, or the stream that frees memory becomes
     * a part of the graph, which then cannot be ended, or the thread that captures waits for ever.
     */
    @Test
    void memoryIsKeptUntilTheCaptureHasEnded() throws IOException {
        DeviceTensor tensor = read();
        tensor.recordStream(handle());
        tensor.recordStream(DEFAULT_STREAM);
        device.thread()
                .call(() -> {
                    DeviceSlice slice = new DeviceSlice(tensor.pointer(), tensor.byteSize());
                    for (int i = 0; i < QUEUED; i++) {
                        stream.copyToHost(slice, copy(i));
                    }
                    return null;
                });
        Captures.begin(device, handle());
        tensor.close();
        for (int i = 0; i < 3; i++) {
            DeviceTensors.assertReadsAll(array, sample.all());
        }
        Captures.end(device, handle());
        DeviceTensors.assertReadsAll(array, sample.all());
        device.thread()
                .call(() -> {
                    stream.synchronize();
                    return null;
                });
        for (int i = 0; i < QUEUED; i++) {
            assertArrayEquals(sample.all(), copy(i).toArray(JAVA_BYTE), "copy " + i);
        }
    }

    private MemorySegment copy(int number) {
        long bytes = sample.all().length;
        return pinned.segment().asSlice(number * bytes, bytes);
    }

    /**
     * Fault: calls of the engine's thread, to open, read and close, are forbidden while another
     * thread captures, and make its graph invalid.
     */
    @Test
    void aCaptureOfAnotherThreadGoesOnBesideTheEngine() throws IOException {
        Captures.begin(device, handle());
        DeviceTensors.assertReadsAll(array, sample.all());
        try (ZarrEngine other = DeviceEngines.open();
                ZarrArray others = other.openArray(sample.path())) {
            DeviceTensors.assertReadsAll(others, sample.all());
        }
        Captures.end(device, handle());
        DeviceTensors.assertReadsAll(array, sample.all());
    }
}
