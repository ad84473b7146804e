package io.zarrengine.gpu.read;

import io.zarrengine.gpu.file.LandingMemory;
import io.zarrengine.gpu.slot.WorkerSlotPool;
import io.zarrengine.gpu.tuning.DecoderChoice;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.gpu.tuning.Workload;
import io.zarrengine.zarr.device.DeviceCounters;
import java.util.Optional;

/**
 * The parts of a device that its reads use.
 *
 * @param options of the device
 * @param workload counts their chunks
 * @param choice says who decodes a chunk
 * @param slots take chunks to the device
 * @param landing lends memory that files are read to
 * @param registered has the device copy from the page cache
 * @param direct reads files around the host's memory; empty if nothing does
 * @param counters count what the device does
 */
record ReadParts(
        DeviceOptions options,
        Workload workload,
        DecoderChoice choice,
        WorkerSlotPool slots,
        LandingMemory landing,
        RegisteredReads registered,
        Optional<DirectReads> direct,
        DeviceCounters counters) {}
