package io.zarrengine.zarr.device;

import io.zarrengine.zarr.transform.Program;
import java.util.List;
import java.util.Optional;

/**
 * Transforms of samples in the memory of a device.
 *
 * @param bytes size of the result
 * @param samples number of samples
 * @param channels the parts of the result
 * @param target the caller's memory for the result; empty: new memory
 */
public record DeviceComputation(
        long bytes, long samples, List<Channel> channels, Optional<TargetAddress> target) {
    /**
     * The transform of the samples of one memory.
     *
     * @param program the computation of each sample
     * @param source the samples, one after another
     * @param sourceElements the number of elements of a sample
     * @param targetBegin index in the result of the first element of the first sample
     * @param targetElements elements of the result from a sample to the next
     */
    public record Channel(
            Program program,
            DeviceMemory source,
            long sourceElements,
            long targetBegin,
            long targetElements) {}
}
