package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A device with a stream, a pool and pinned memory, for one test. The test's body runs on the
 * device's thread.
 */
final class Lab {
    static final long POOL_BYTES = 64 << 20;
    static final long PINNED_BYTES = 32 << 20;

    /** The body of a test. */
    interface Body {
        void run(Lab lab) throws IOException;
    }

    final CudaDevice device;
    final CudaStream stream;
    final DeviceMemoryPool pool;
    final MemorySegment pinned;

    private Lab(CudaDevice device, CudaStream stream, DeviceMemoryPool pool, MemorySegment pinned) {
        this.device = device;
        this.stream = stream;
        this.pool = pool;
        this.pinned = pinned;
    }

    static void run(Body body) throws IOException {
        assertInstanceOf(CudaRuntime.Status.Usable.class, CudaRuntime.status());
        try (CudaDevice device = CudaDevice.open(0)) {
            device.thread().call(() -> run(device, body));
        }
    }

    private static Void run(CudaDevice device, Body body) throws IOException {
        try (CudaStream stream = CudaStream.open(device);
                DeviceMemoryPool pool = DeviceMemoryPool.open(device, POOL_BYTES);
                PinnedMemory pinned = PinnedMemory.open(device, PINNED_BYTES)) {
            body.run(new Lab(device, stream, pool, pinned.segment()));
            device.synchronize();
        }
        return null;
    }

    /** Copies bytes to the device and waits; uses the first part of the pinned memory. */
    void upload(byte[] bytes, DeviceSlice target) throws IOException {
        MemorySegment staged = pinned.asSlice(0, bytes.length);
        staged.copyFrom(MemorySegment.ofArray(bytes));
        stream.copyToDevice(staged, target);
        stream.synchronize();
    }

    byte[] download(DeviceSlice source) throws IOException {
        MemorySegment staged = pinned.asSlice(0, source.byteSize());
        stream.copyToHost(source, staged);
        stream.synchronize();
        return staged.toArray(JAVA_BYTE);
    }
}
