/**
 * Division of a device's memory, and two rules: {@link io.zarrengine.gpu.tuning.DecoderRule}
 * chooses between the device and a worker to decode a chunk, {@link
 * io.zarrengine.gpu.tuning.LaunchRule} when a batch is launched. Each has a fixed twin, for tests
 * and to measure what it gains.
 */
package io.zarrengine.gpu.tuning;
