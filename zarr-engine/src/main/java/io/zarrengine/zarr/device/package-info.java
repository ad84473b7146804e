/**
 * The interface between an engine and devices such as GPUs. The rest of the engine uses only this
 * package and {@code sink} to reach them.
 *
 * <p>A {@link io.zarrengine.zarr.device.DeviceProvider} opens the {@link
 * io.zarrengine.zarr.device.Devices} of an engine, which start reads. For each read, a device gives
 * the workers a {@code ChunkSink}, which takes the encoded chunks, lends memory that files are read
 * into, and makes a worker wait when it is ahead of the device. The module {@code
 * io.zarrengine.gpu} is the provider for NVIDIA GPUs.
 */
package io.zarrengine.zarr.device;
