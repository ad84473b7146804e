package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A mark in a stream. Other streams and the host can tell when the stream has passed it. It may be
 * recorded again; the last recording counts.
 *
 * <p>Owner: the code that opened it, on the device's thread. Threads: the device's; {@link
 * CudaStream#waitFor} that of the stream.
 */
public final class CudaEvent implements AutoCloseable {
    private static final int DEFAULT = 0; // cudaEventDefault

    private final CudaDevice device;
    private final Arena arena;
    private final MemorySegment handle;

    private CudaEvent(CudaDevice device, Arena arena, MemorySegment handle) {
        this.device = device;
        this.arena = arena;
        this.handle = handle;
    }

    /**
     * Opens an event without time stamps. A thread that waits for it spins.
     *
     * @param device the device of the streams; called on its thread
     * @return an event owned by the caller
     * @throws CudaException if the device is lost
     */
    public static CudaEvent open(CudaDevice device) throws CudaException {
        return open(device, Cudart.cudaEventDisableTiming());
    }

    /**
     * Opens an event without time stamps, for a thread that sleeps in {@link #synchronize}. Each
     * time the device passes it, it interrupts the host and wakes a thread of CUDA, which takes
     * about 20 us of CPU time.
     *
     * @param device the device of the streams; called on its thread
     * @return an event owned by the caller
     * @throws CudaException if the device is lost
     */
    public static CudaEvent openAwaited(CudaDevice device) throws CudaException {
        return open(device, Cudart.cudaEventDisableTiming() | Cudart.cudaEventBlockingSync());
    }

    /**
     * Opens an event with time stamps. A thread that waits for it spins.
     *
     * @param device the device of the streams; called on its thread
     * @return an event owned by the caller
     * @throws CudaException if the device is lost
     */
    public static CudaEvent openTimed(CudaDevice device) throws CudaException {
        return open(device, DEFAULT);
    }

    private static CudaEvent open(CudaDevice device, int flags) throws CudaException {
        device.thread().check();
        Arena arena = Arena.ofConfined();
        try {
            MemorySegment out = arena.allocate(ADDRESS);
            device.check(Cudart.cudaEventCreateWithFlags(out, flags), "cudaEventCreateWithFlags");
            MemorySegment handle =
                    NativeHandle.attach(out.get(ADDRESS, 0), arena, Cudart::cudaEventDestroy);
            return new CudaEvent(device, arena, handle);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    /**
     * Returns the handle for a stream. The stream may belong to another owner of the device, if
     * this event's owner keeps it open.
     */
    MemorySegment handle(CudaDevice user) {
        return user.equals(device) ? handle : MemorySegment.ofAddress(handle.address());
    }

    /**
     * Sets the mark after the work that is queued in a stream.
     *
     * @param stream the stream to mark
     * @throws CudaException if the call fails
     */
    public void record(CudaStream stream) throws CudaException {
        device.thread().check();
        device.check(Cudart.cudaEventRecord(handle, stream.handle()), "cudaEventRecord");
    }

    /**
     * {@return whether the stream has passed the mark; true if it was never set}
     *
     * @throws CudaException if the work before the mark failed
     */
    public boolean isDone() throws CudaException {
        device.thread().check();
        int code = Cudart.cudaEventQuery(handle);
        if (code == CudaError.NOT_READY.code()) {
            return false;
        }
        device.check(code, "cudaEventQuery");
        return true;
    }

    /**
     * {@return whether a graph has captured the mark} No stream passes it then, and no stream of
     * ours may wait for it, because that stream would be captured, too.
     *
     * @throws CudaException if the work before the mark failed
     */
    public boolean isCaptured() throws CudaException {
        device.thread().check();
        int code = Cudart.cudaEventQuery(handle);
        if (code == CudaError.CAPTURED_EVENT.code()) {
            Cudart.cudaGetLastError(); // clears it: other libraries would report our error
            return true;
        }
        if (code != CudaError.NOT_READY.code()) {
            device.check(code, "cudaEventQuery");
        }
        return false;
    }

    /**
     * Waits until the stream has passed the mark. The thread sleeps if the event was opened by
     * {@link #openAwaited}.
     *
     * @throws CudaException if the work before the mark failed
     */
    public void synchronize() throws CudaException {
        device.thread().check();
        device.check(Cudart.cudaEventSynchronize(handle), "cudaEventSynchronize");
    }

    /**
     * {@return the time between two marks in milliseconds} Both events must have time stamps, and
     * their streams must have passed them.
     *
     * @param begin the earlier one
     * @throws CudaException if a stream has not passed its mark
     */
    public float millisSince(CudaEvent begin) throws CudaException {
        device.thread().check();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment millis = scratch.allocate(JAVA_FLOAT);
            device.check(
                    Cudart.cudaEventElapsedTime(millis, begin.handle, handle),
                    "cudaEventElapsedTime");
            return millis.get(JAVA_FLOAT, 0);
        }
    }

    /**
     * Frees the event. A recorded mark stays in its stream.
     *
     * @throws WrongThreadException if this is not the device's thread
     */
    @Override
    public void close() {
        arena.close();
    }
}
