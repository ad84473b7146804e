package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Whether the device or a worker decodes a chunk: whoever has decoded all that is under way first.
 * Owner: the device's executor. Threads: any.
 */
public final class DecoderChoice {
    private final DeviceOptions options;
    private final Map<NvcompFormat, Long> sourceAlignments;
    private final long sourceAlignmentMax;
    private final Workload workload;
    private final DecodeCosts costs;
    private final ChunksAhead ahead;
    private final IntSupplier devices;

    /**
     * Chooses for a device.
     *
     * @param sourceAlignments of each format that it decodes, in bytes
     * @param costs of decoding on the device, and on the host
     * @param ahead what the device is still to decode
     * @param devices how many the engine has open
     */
    public DecoderChoice(
            DeviceOptions options,
            Map<NvcompFormat, Long> sourceAlignments,
            Workload workload,
            DecodeCosts costs,
            ChunksAhead ahead,
            IntSupplier devices) {
        this.options = options;
        this.sourceAlignments = sourceAlignments;
        this.workload = workload;
        this.costs = costs;
        this.ahead = ahead;
        this.devices = devices;
        sourceAlignmentMax = sourceAlignments.values().stream().reduce(1L, Math::max);
    }

    /** {@return whether the device has a decoder: another engine may have the one for zstd} */
    public boolean canDecode(NvcompFormat format) {
        return sourceAlignments.containsKey(format);
    }

    /** {@return what addresses must be multiples of that a format is decoded from} */
    public long sourceAlignment(NvcompFormat format) {
        return sourceAlignments.get(format);
    }

    /** {@return the largest of those, of any format} */
    public long sourceAlignmentMax() {
        return sourceAlignmentMax;
    }

    /** {@return whether so much is under way that the device may be asked to decode} */
    public boolean isLoaded() {
        return isLoadedWith(0);
    }

    /** {@return the same with so many chunks more} */
    public boolean isLoadedWith(long moreChunks) {
        return workload.chunksWith(moreChunks) >= options.loadMin();
    }

    /**
     * {@return whether the device is to decode a chunk: it has decoded all that is under way before
     * the workers would have}
     *
     * @param streamBytes of each of its streams, decoded
     * @param streams which nvCOMP decodes one beside the other
     */
    public boolean prefersDevice(NvcompFormat format, long streamBytes, long streams) {
        return options.loadMin() == 0
                || costs.prefersDevice(
                        format,
                        streamBytes,
                        streams,
                        Math.max(1, workload.byteSize() / (streamBytes * streams)));
    }

    /**
     * {@return whether the device is to decode a chunk though the workers would be the first with
     * all: it decodes some while they decode the rest, if that takes them long enough}
     *
     * @param chunks of the read, which are to be worth it alone: others may be unlike them
     */
    public boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long rest = Math.min(chunks, workload.unbegun());
        return costs.isHelpWelcome(format, chunkBytes)
                && costs.isPartWelcome(format, chunkBytes, chunks)
                && costs.hostNanos(format, chunkBytes, rest)
                        > costs.batchNanos(format, chunkBytes, chunkBytes);
    }

    /**
     * {@return whether a worker is to decode a chunk though {@link #prefersDevice}: both decode}
     */
    public boolean isHelpDue(NvcompFormat format, long chunkBytes) {
        return options.loadMin() > 0
                && costs.isHelpWelcome(format, chunkBytes)
                && ahead.isHelpDue(
                        format,
                        chunkBytes,
                        Math.max(1, workload.unbegun() * devices.getAsInt()), // Each has its own.
                        System.nanoTime());
    }

    /** A worker has decoded a chunk. */
    public void hostDecoded(NvcompFormat format, long bytes, long nanos) {
        costs.hostDecoded(format, bytes, nanos);
    }
}
