package io.zarrengine.zarr.device;

import java.util.concurrent.atomic.AtomicLong;

/** What a device has done. Threads: the device's counts, any reads. */
public final class DeviceCounters {
    private final AtomicLong chunks = new AtomicLong();
    private final AtomicLong chunksDecoded = new AtomicLong();
    private final AtomicLong chunksRescued = new AtomicLong();
    private final AtomicLong bytesCopied = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();

    private final AtomicLong idleNanos = new AtomicLong();
    private final AtomicLong addNanos = new AtomicLong();
    private final AtomicLong launchNanos = new AtomicLong();
    private final AtomicLong slotWaitNanos = new AtomicLong();

    DeviceCounters() {}

    /** No batch was on the device, although something was to be read. */
    void idle(long nanos) {
        idleNanos.addAndGet(nanos);
    }

    /** Chunks of a slot were described. */
    void added(long nanos) {
        addNanos.addAndGet(nanos);
    }

    /** A batch was launched. */
    void launchTook(long nanos) {
        launchNanos.addAndGet(nanos);
    }

    /** A worker waited for a slot. */
    void waitedForSlot(long nanos) {
        slotWaitNanos.addAndGet(nanos);
    }

    /** {@return where the time went since the last call, in one line} */
    public String takeTimes() {
        return "device idle %d us, describing %d us, launching %d us, workers without a slot %d us"
                .formatted(
                        idleNanos.getAndSet(0) / 1000,
                        addNanos.getAndSet(0) / 1000,
                        launchNanos.getAndSet(0) / 1000,
                        slotWaitNanos.getAndSet(0) / 1000);
    }

    void copied(long bytes) {
        bytesCopied.addAndGet(bytes);
    }

    void launched(long ofChunks, long decoded) {
        chunks.addAndGet(ofChunks);
        chunksDecoded.addAndGet(decoded);
        batches.incrementAndGet();
    }

    void rescued() {
        chunksRescued.incrementAndGet();
        chunksDecoded.decrementAndGet();
    }

    /** {@return chunks that went to the device} */
    public long chunks() {
        return chunks.get();
    }

    /** {@return of them those that it decoded} */
    public long chunksDecoded() {
        return chunksDecoded.get();
    }

    /** {@return of them those that it could not decode and the CPU did} */
    public long chunksRescued() {
        return chunksRescued.get();
    }

    /** {@return bytes copied to the device} */
    public long bytesCopied() {
        return bytesCopied.get();
    }

    /** {@return launches} */
    public long batches() {
        return batches.get();
    }
}
