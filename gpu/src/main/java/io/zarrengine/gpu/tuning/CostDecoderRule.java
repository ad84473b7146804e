package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.function.IntSupplier;

/** Compares the {@link DecodeCosts} of both sides, and what each has to do. */
public final class CostDecoderRule implements DecoderRule {
    private final long loadMin;
    private final Workload workload;
    private final DecodeCosts costs;
    private final ChunksAhead ahead;
    private final IntSupplier devices;

    /**
     * Creates the rule of a device.
     *
     * @param loadMin as {@link DeviceOptions#loadMin}
     * @param costs costs of decoding on the device and on the host
     * @param ahead decoded bytes that the device must still produce
     * @param devices the number of devices that the engine has open
     */
    public CostDecoderRule(
            long loadMin,
            Workload workload,
            DecodeCosts costs,
            ChunksAhead ahead,
            IntSupplier devices) {
        this.loadMin = loadMin;
        this.workload = workload;
        this.costs = costs;
        this.ahead = ahead;
        this.devices = devices;
    }

    @Override
    public boolean isLoadedWith(long moreChunks) {
        return workload.chunksWith(moreChunks) >= loadMin;
    }

    @Override
    public boolean prefersDevice(NvcompFormat format, long streamBytes, long streams) {
        long chunks = Math.max(1, workload.byteSize() / (streamBytes * streams));
        return costs.prefersDevice(format, streamBytes, streams, chunks);
    }

    /** {@return whether the workers take so long for the rest that a batch of the device helps} */
    @Override
    public boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        long rest = Math.min(chunks, workload.unbegun());
        return costs.isHelpWelcome(format, chunkBytes)
                && costs.isPartWelcome(format, chunkBytes, chunks)
                && costs.hostNanos(format, chunkBytes, rest)
                        > costs.batchNanos(format, chunkBytes, chunkBytes);
    }

    @Override
    public boolean isHelpDue(NvcompFormat format, long chunkBytes) {
        long ofAllDevices = Math.max(1, workload.unbegun() * devices.getAsInt());
        return costs.isHelpWelcome(format, chunkBytes)
                && ahead.isHelpDue(format, chunkBytes, ofAllDevices, System.nanoTime());
    }
}
