package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Decides whether the device or a worker decodes a chunk: the side that would sooner finish all
 * chunks in flight. Owner: the device's executor. Threads: any.
 */
public final class DecoderRule {
    private final DeviceOptions options;
    private final Map<NvcompFormat, Long> sourceAlignments;
    private final long sourceAlignmentMax;
    private final Workload workload;
    private final DecodeCosts costs;
    private final ChunksAhead ahead;
    private final IntSupplier devices;

    /**
     * Creates the choice for a device.
     *
     * @param sourceAlignments source alignment in bytes of each format that the device decodes
     * @param costs costs of decoding on the device and on the host
     * @param ahead decoded bytes that the device must still produce
     * @param devices the number of devices that the engine has open
     */
    public DecoderRule(
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

    /**
     * {@return whether the device has a decoder for a format} The installed nvCOMP may lack some
     * decoders.
     */
    public boolean canDecode(NvcompFormat format) {
        return sourceAlignments.containsKey(format);
    }

    /** {@return the alignment in bytes that a format's decoder requires of source addresses} */
    public long sourceAlignment(NvcompFormat format) {
        return sourceAlignments.get(format);
    }

    /** {@return the largest source alignment of all formats, in bytes} */
    public long sourceAlignmentMax() {
        return sourceAlignmentMax;
    }

    /** {@return whether enough chunks are in flight for the device to decode any} */
    public boolean isLoaded() {
        return isLoadedWith(0);
    }

    /** {@return the same, with more chunks in flight} */
    public boolean isLoadedWith(long moreChunks) {
        return workload.chunksWith(moreChunks) >= options.loadMin();
    }

    /**
     * {@return whether the device should decode a chunk: it finishes all chunks in flight sooner
     * than the workers would}
     *
     * @param streamBytes decoded bytes of each of the chunk's streams
     * @param streams the number of streams, which nvCOMP decodes in parallel
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
     * {@return whether the device should decode a chunk although the workers alone would finish all
     * sooner} The device decodes some chunks while the workers decode the rest, if the rest takes
     * them long enough.
     *
     * @param chunks the number of chunks of the read, which must justify this alone because chunks
     *     of other reads may differ
     */
    public boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long rest = Math.min(chunks, workload.unbegun());
        return costs.isHelpWelcome(format, chunkBytes)
                && costs.isPartWelcome(format, chunkBytes, chunks)
                && costs.hostNanos(format, chunkBytes, rest)
                        > costs.batchNanos(format, chunkBytes, chunkBytes);
    }

    /**
     * {@return whether a worker should decode a chunk although {@link #prefersDevice} is true, so
     * that both decode}
     */
    public boolean isHelpDue(NvcompFormat format, long chunkBytes) {
        return options.loadMin() > 0
                && costs.isHelpWelcome(format, chunkBytes)
                && ahead.isHelpDue(
                        format,
                        chunkBytes,
                        Math.max(1, workload.unbegun() * devices.getAsInt()), // chunks of each
                        System.nanoTime());
    }
}
