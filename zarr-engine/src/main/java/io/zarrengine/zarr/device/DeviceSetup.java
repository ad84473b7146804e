package io.zarrengine.zarr.device;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;

/**
 * The parts and options of an engine that its devices use.
 *
 * @param workers threads that read files, and decode what a device does not
 * @param workerCount how many workers there are
 * @param largeBytesMax size of the largest chunk that a worker has memory for, in bytes
 * @param verifiesChecksums whether checksums of chunks are compared
 * @param decodesUnchecked whether a device decodes chunks without a compared checksum
 * @param budgetBytes memory that the engine may take on each device; 0: half of what is free
 * @param files opens the chunk files; outlives the devices
 * @param mapping which files are mapped for devices to copy from
 * @param pinnedBytesMax how much of the mapped files is kept in memory
 * @param readsDirectly whether devices read files around the host's memory
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
