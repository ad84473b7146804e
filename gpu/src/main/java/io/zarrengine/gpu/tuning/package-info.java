/**
 * Division of a device's memory, launch of its batches, and choice between the device and a worker
 * to decode a chunk.
 */
package io.zarrengine.gpu.tuning;
