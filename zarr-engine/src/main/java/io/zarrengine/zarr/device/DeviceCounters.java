package io.zarrengine.zarr.device;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of a device. Threads: any. */
public final class DeviceCounters {
    private final AtomicLong chunks = new AtomicLong();
    private final AtomicLong chunksDecoded = new AtomicLong();
    private final AtomicLong chunksRescued = new AtomicLong();
    private final AtomicLong bytesCopied = new AtomicLong();
    private final AtomicLong bytesCopiedAsRead = new AtomicLong();
    private final AtomicLong bytesCopiedFromFiles = new AtomicLong();
    private final AtomicLong bytesReadDirectly = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();
    private final Map<String, LongAdder> decodedByHost = new ConcurrentHashMap<>();

    /** Creates counts of 0. */
    public DeviceCounters() {
        // The fields are set above.
    }

    /**
     * Counts bytes copied to the device from memory of the engine.
     *
     * @param bytes number of bytes
     */
    public void copied(long bytes) {
        bytesCopied.addAndGet(bytes);
    }

    /**
     * Counts bytes copied to the device from the memory that a file was read into.
     *
     * @param bytes number of bytes
     */
    public void copiedAsRead(long bytes) {
        bytesCopied.addAndGet(bytes);
        bytesCopiedAsRead.addAndGet(bytes);
    }

    /**
     * Counts bytes copied to the device from the page cache.
     *
     * @param bytes number of bytes
     */
    public void copiedFromFiles(long bytes) {
        bytesCopiedFromFiles.addAndGet(bytes);
    }

    /**
     * Counts bytes read to the device without passing through host memory.
     *
     * @param bytes number of bytes
     */
    public void readDirectly(long bytes) {
        bytesReadDirectly.addAndGet(bytes);
    }

    /**
     * Counts a launched batch.
     *
     * @param ofChunks number of its chunks
     * @param decoded number of those chunks that the device decodes
     */
    public void launched(long ofChunks, long decoded) {
        chunks.addAndGet(ofChunks);
        chunksDecoded.addAndGet(decoded);
        batches.incrementAndGet();
    }

    /** Counts a chunk that the host decoded because the device could not. */
    public void rescued() {
        chunksRescued.incrementAndGet();
        chunksDecoded.decrementAndGet();
    }

    /**
     * Counts a chunk that a worker decoded before it went to the device.
     *
     * @param reason in words
     */
    public void decodedByHost(String reason) {
        LongAdder known = decodedByHost.get(reason);
        (known == null ? decodedByHost.computeIfAbsent(reason, _ -> new LongAdder()) : known)
                .increment();
    }

    /**
     * {@return the number of chunks that workers decoded and the device placed, for each reason in
     * words}
     */
    public Map<String, Long> decodedByHost() {
        Map<String, Long> counts = new TreeMap<>();
        decodedByHost.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** {@return the number of chunks that went to the device} */
    public long chunks() {
        return chunks.get();
    }

    /** {@return the number of those chunks that the device decoded} */
    public long chunksDecoded() {
        return chunksDecoded.get();
    }

    /** {@return the number of those chunks that the CPU decoded because the device could not} */
    public long chunksRescued() {
        return chunksRescued.get();
    }

    /** {@return the bytes copied to the device from memory of the engine} */
    public long bytesCopied() {
        return bytesCopied.get();
    }

    /**
     * {@return those of the copied bytes that were in the memory that a file was read into, without
     * a copy before}
     */
    public long bytesCopiedAsRead() {
        return bytesCopiedAsRead.get();
    }

    /** {@return the bytes copied to the device from the page cache} */
    public long bytesCopiedFromFiles() {
        return bytesCopiedFromFiles.get();
    }

    /** {@return the bytes read to the device without passing through host memory} */
    public long bytesReadDirectly() {
        return bytesReadDirectly.get();
    }

    /** {@return the number of launches} */
    public long batches() {
        return batches.get();
    }
}
