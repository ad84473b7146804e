package io.zarrengine.zarr.device;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts of what a device has done. Threads: any. */
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
        // They are set above.
    }

    /**
     * Bytes were copied to the device from memory of the engine's.
     *
     * @param bytes how many
     */
    public void copied(long bytes) {
        bytesCopied.addAndGet(bytes);
    }

    /**
     * Bytes were copied to the device from where a file was read to.
     *
     * @param bytes how many
     */
    public void copiedAsRead(long bytes) {
        bytesCopied.addAndGet(bytes);
        bytesCopiedAsRead.addAndGet(bytes);
    }

    /**
     * Bytes were copied to the device from where the page cache holds files.
     *
     * @param bytes how many
     */
    public void copiedFromFiles(long bytes) {
        bytesCopiedFromFiles.addAndGet(bytes);
    }

    /**
     * Bytes were read to the device around the host's memory.
     *
     * @param bytes how many
     */
    public void readDirectly(long bytes) {
        bytesReadDirectly.addAndGet(bytes);
    }

    /**
     * A batch was launched.
     *
     * @param ofChunks how many chunks it has
     * @param decoded how many of them the device decodes
     */
    public void launched(long ofChunks, long decoded) {
        chunks.addAndGet(ofChunks);
        chunksDecoded.addAndGet(decoded);
        batches.incrementAndGet();
    }

    /** The host decoded a chunk that the device could not decode. */
    public void rescued() {
        chunksRescued.incrementAndGet();
        chunksDecoded.decrementAndGet();
    }

    /**
     * A worker decoded a chunk before it went to the device.
     *
     * @param reason in words
     */
    public void decodedByHost(String reason) {
        LongAdder known = decodedByHost.get(reason);
        (known == null ? decodedByHost.computeIfAbsent(reason, _ -> new LongAdder()) : known)
                .increment();
    }

    /** {@return chunks that the workers decoded and the device placed, by the reason in words} */
    public Map<String, Long> decodedByHost() {
        Map<String, Long> counts = new TreeMap<>();
        decodedByHost.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
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

    /** {@return bytes copied to the device from memory of ours} */
    public long bytesCopied() {
        return bytesCopied.get();
    }

    /** {@return of them those that lay where a file was read to: nobody had moved them} */
    public long bytesCopiedAsRead() {
        return bytesCopiedAsRead.get();
    }

    /** {@return bytes copied to the device from where the page cache holds files} */
    public long bytesCopiedFromFiles() {
        return bytesCopiedFromFiles.get();
    }

    /** {@return bytes that were read to the device around the host's memory} */
    public long bytesReadDirectly() {
        return bytesReadDirectly.get();
    }

    /** {@return launches} */
    public long batches() {
        return batches.get();
    }
}
