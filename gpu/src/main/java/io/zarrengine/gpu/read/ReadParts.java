package io.zarrengine.gpu.read;

import io.zarrengine.gpu.file.LandingMemory;
import io.zarrengine.gpu.slot.WorkerSlotPool;
import io.zarrengine.gpu.tuning.DecoderRule;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.gpu.tuning.Workload;
import io.zarrengine.zarr.device.DeviceCounters;
import java.util.Optional;

/**
 * The parts of a device that its reads use.
 *
 * @param options the device's options
 * @param workload counts their chunks
 * @param formats the formats that the device decodes
 * @param rule decides whether the device or a worker decodes a chunk
 * @param slots take chunks to the device
 * @param landing lends memory for files to be read into
 * @param registered has the device copy from the page cache
 * @param direct reads files directly to device memory; empty if direct reads are off
 * @param counters count the device's work
 */
record ReadParts(
        DeviceOptions options,
        Workload workload,
        DecodableFormats formats,
        DecoderRule rule,
        WorkerSlotPool slots,
        LandingMemory landing,
        RegisteredReads registered,
        Optional<DirectReads> direct,
        DeviceCounters counters) {}
