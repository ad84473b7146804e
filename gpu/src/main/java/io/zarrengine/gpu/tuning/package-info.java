/**
 * How a device's memory is divided, when its batches are launched, and whether the device or a
 * worker decodes a chunk.
 */
package io.zarrengine.gpu.tuning;
