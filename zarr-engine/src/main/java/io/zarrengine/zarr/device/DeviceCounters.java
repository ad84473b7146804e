package io.zarrengine.zarr.device;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a device has done. Threads: the device's counts, any reads. */
public final class DeviceCounters {
    private final AtomicLong chunks = new AtomicLong();
    private final AtomicLong chunksDecoded = new AtomicLong();
    private final AtomicLong chunksRescued = new AtomicLong();
    private final AtomicLong bytesCopied = new AtomicLong();
    private final AtomicLong bytesCopiedAsRead = new AtomicLong();
    private final AtomicLong bytesCopiedFromFiles = new AtomicLong();
    private final AtomicLong bytesReadDirectly = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();
    private final Map<HostDecoding, LongAdder> decodedByHost = new EnumMap<>(HostDecoding.class);

    DeviceCounters() {
        for (HostDecoding reason : HostDecoding.values()) {
            decodedByHost.put(reason, new LongAdder());
        }
    }

    void copied(long bytes) {
        bytesCopied.addAndGet(bytes);
    }

    void copiedAsRead(long bytes) {
        bytesCopied.addAndGet(bytes);
        bytesCopiedAsRead.addAndGet(bytes);
    }

    void copiedFromFiles(long bytes) {
        bytesCopiedFromFiles.addAndGet(bytes);
    }

    void readDirectly(long bytes) {
        bytesReadDirectly.addAndGet(bytes);
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

    void decodedByHost(HostDecoding reason) {
        decodedByHost.get(reason).increment();
    }

    /** {@return chunks that the workers decoded and the device placed, by the reason in words} */
    public Map<String, Long> decodedByHost() {
        Map<String, Long> counts = new LinkedHashMap<>();
        decodedByHost.forEach((reason, count) -> {
            if (count.sum() > 0) {
                counts.put(reason.toString(), count.sum());
            }
        });
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
