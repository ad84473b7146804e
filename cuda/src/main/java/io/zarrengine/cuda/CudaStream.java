package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A queue of work for a device: copies, kernels, decoders. Work in one stream runs in order.
 * Streams run in parallel, and {@link CudaEvent}s order them.
 *
 * <p>Owner: the code that opened it, on the device's thread. Threads: the device's. Lent to: the
 * device, from the call until the stream has passed it. Host memory of a copy must be pinned, and
 * must not be freed or reused until an event after the copy is done.
 *
 * <p>Only {@link #synchronize} waits. Any later call may report a failure of work that was queued
 * earlier.
 */
public final class CudaStream implements AutoCloseable {
    private final CudaDevice device;
    private final Arena arena; // null: another's stream
    private final MemorySegment handle;

    private CudaStream(CudaDevice device, Arena arena, MemorySegment handle) {
        this.device = device;
        this.arena = arena;
        this.handle = handle;
    }

    /**
     * Opens a stream that does not wait for the legacy default stream.
     *
     * @param device the device that does the work; called on its thread
     * @return a stream owned by the caller
     * @throws CudaException if the device is lost or out of memory
     */
    public static CudaStream open(CudaDevice device) throws CudaException {
        device.thread().check();
        Arena arena = Arena.ofConfined();
        try {
            MemorySegment out = arena.allocate(ADDRESS);
            device.check(
                    Cudart.cudaStreamCreateWithFlags(out, Cudart.cudaStreamNonBlocking()),
                    "cudaStreamCreateWithFlags");
            MemorySegment handle =
                    NativeHandle.attach(out.get(ADDRESS, 0), arena, Cudart::cudaStreamDestroy);
            CudaStream opened = new CudaStream(device, arena, handle);
            device.streamOpened(opened);
            return opened;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    /**
     * {@return a stream that the caller of the engine has opened and will close} It is valid as
     * long as the caller's; {@link #close} does nothing.
     *
     * @param device the device of the stream
     * @param handle a {@code cudaStream_t}; 0 or 1 for the legacy default stream
     */
    public static CudaStream ofForeign(CudaDevice device, long handle) {
        return new CudaStream(device, null, MemorySegment.ofAddress(handle));
    }

    /** {@return the {@code cudaStream_t}; valid until {@link #close}} */
    public MemorySegment handle() {
        return handle;
    }

    /** {@return the device that does the work} */
    public CudaDevice device() {
        return device;
    }

    /**
     * Copies host memory to the device.
     *
     * @param source pinned memory; all of it is copied
     * @param target device memory of at least that size
     * @throws CudaException if the call fails
     */
    public void copyToDevice(MemorySegment source, DeviceSlice target) throws CudaException {
        long bytes = source.byteSize();
        copy(target.pointer(bytes), source, bytes, Cudart.cudaMemcpyHostToDevice());
    }

    /**
     * Copies device memory to the host.
     *
     * @param source device memory; all of it is copied
     * @param target pinned memory of at least that size
     * @throws CudaException if the call fails
     */
    public void copyToHost(DeviceSlice source, MemorySegment target) throws CudaException {
        long bytes = source.byteSize();
        MemorySegment exact = target.asSlice(0, bytes);
        copy(exact, source.pointer(bytes), bytes, Cudart.cudaMemcpyDeviceToHost());
    }

    private void copy(MemorySegment target, MemorySegment source, long bytes, int kind)
            throws CudaException {
        device.thread().check();
        int code = Cudart.cudaMemcpyAsync(target, source, bytes, kind, handle);
        if (code != 0) {
            throw device.failure(code, "cudaMemcpyAsync", bytes + " bytes, kind " + kind);
        }
    }

    /**
     * Sets every byte of device memory.
     *
     * @param target the memory to set
     * @param value the new value of each byte
     * @throws CudaException if the call fails
     */
    public void set(DeviceSlice target, byte value) throws CudaException {
        device.thread().check();
        long bytes = target.byteSize();
        int code = Cudart.cudaMemsetAsync(target.pointer(bytes), value, bytes, handle);
        if (code != 0) {
            throw device.failure(code, "cudaMemsetAsync", bytes + " bytes");
        }
    }

    /**
     * Makes work that is queued from now on wait for an event.
     *
     * @param event an event recorded earlier; a later recording does not count. It may belong to
     *     another owner of a device, who keeps it open during this call
     * @throws CudaException if the call fails
     */
    public void waitFor(CudaEvent event) throws CudaException {
        device.thread().check();
        device.check(
                Cudart.cudaStreamWaitEvent(handle, event.handle(device), 0), "cudaStreamWaitEvent");
    }

    /**
     * {@return whether the stream captures a graph, so that its work does not run} The legacy
     * default stream cannot be used either while a stream that it waits for captures.
     *
     * @throws CudaException if the call fails
     */
    public boolean isCapturing() throws CudaException {
        device.thread().check();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment status = scratch.allocate(JAVA_INT);
            int code = Cudart.cudaStreamIsCapturing(handle, status);
            if (code == CudaError.STREAM_CAPTURE_IMPLICIT.code()) {
                Cudart.cudaGetLastError(); // clears it: other libraries would report our error
                return true;
            }
            device.check(code, "cudaStreamIsCapturing");
            return status.get(JAVA_INT, 0) != Cudart.cudaStreamCaptureStatusNone();
        }
    }

    /**
     * Waits until everything queued so far has run.
     *
     * @throws CudaException if any of it failed
     */
    public void synchronize() throws CudaException {
        device.thread().check();
        device.check(Cudart.cudaStreamSynchronize(handle), "cudaStreamSynchronize");
    }

    /**
     * Gives the stream up. Queued work still runs, so the owner waits for it first.
     *
     * @throws WrongThreadException if this is not the device's thread
     */
    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            device.streamClosed(this);
        }
    }
}
