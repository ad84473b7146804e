package io.zarrengine.cuda;

import io.zarrengine.bindings.MemoryMap;
import io.zarrengine.bindings.cudart.Cudart;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Host memory that the device reads and writes by itself: anonymous memory on huge pages, all of it
 * present, registered with CUDA once. Registering takes 0.27 ms per MiB, so it is done at start and
 * not per read.
 *
 * <p>Owner: the code that opened it, on the device's thread; closed there. Threads: any may read
 * and write it. Lent to: the device while a copy is under way, and io_uring, whose rings may
 * register it; they are closed first.
 */
public final class PinnedMemory implements AutoCloseable {
    private final CudaDevice device;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final RegisteredMemory registration;

    private PinnedMemory(CudaDevice device, long bytes) throws IOException {
        this.device = device;
        try {
            segment = MemoryMap.anonymous(bytes, arena);
            segment.fill((byte) 0); // or the driver faults in small pages one by one
            int flags = Cudart.cudaHostRegisterPortable();
            registration = RegisteredMemory.open(device, segment, flags, bytes + " bytes");
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    /**
     * Maps memory, makes its pages present and registers it.
     *
     * @param device the device that uses it; called on its thread
     * @param bytes length in bytes, {@code > 0}
     * @return zeroed memory owned by the caller
     * @throws IOException if there is not that much, or it may not be pinned (RLIMIT_MEMLOCK)
     */
    public static PinnedMemory open(CudaDevice device, long bytes) throws IOException {
        device.thread().check();
        return new PinnedMemory(device, bytes);
    }

    /** {@return all of the memory; valid until {@link #close}} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Waits until the device's open streams have done all queued work, ends the registration and
     * unmaps the memory. Errors of a lost device are ignored, because it does not access memory any
     * more.
     *
     * @throws WrongThreadException if this is not the device's thread
     * @throws IllegalStateException if the driver refuses; the memory is kept, because the device
     *     may still write to it
     */
    @Override
    public void close() {
        device.thread().check();
        try {
            device.synchronizeStreams();
        } catch (CudaException e) {
            if (device.loss().isEmpty()) {
                throw new IllegalStateException(e);
            }
        }
        registration.close();
        arena.close();
    }
}
