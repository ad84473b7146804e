package io.zarrengine.zarr.device;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;

/**
 * The parts and options of an engine that its devices use.
 *
 * @param workers threads that read files, and decode the chunks that a device does not decode
 * @param workerCount number of workers
 * @param largeBytesMax size of the largest chunk that a worker has memory for, in bytes
 * @param verifiesChecksums whether checksums of chunks are compared
 * @param decodesUnchecked whether a device decodes chunks without a compared checksum
 * @param budgetBytes memory that the engine may take on each device; 0 for half of the free memory
 * @param files opens the chunk files; outlives the devices
 * @param mapping selects the files that are mapped for devices to copy from
 * @param pinnedBytesMax limit of the pinned bytes of mapped files
 * @param readsDirectly whether devices read files without passing through host memory
 */
public record DeviceSetup(
        HostWorkers workers,
        int workerCount,
        long largeBytesMax,
        boolean verifiesChecksums,
        boolean decodesUnchecked,
        long budgetBytes,
        ReadBackend files,
        MappingRule mapping,
        long pinnedBytesMax,
        boolean readsDirectly) {}
