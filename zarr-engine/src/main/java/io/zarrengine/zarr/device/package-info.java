/**
 * The seam between an engine and devices, such as GPUs. The engine knows no more of them than this
 * package and {@code sink}.
 *
 * <p>A {@link io.zarrengine.zarr.device.DeviceProvider} opens the {@link
 * io.zarrengine.zarr.device.Devices} of an engine, which start reads. For each read a device gives
 * the workers a {@code ChunkSink}: it takes the encoded chunks, lends memory that files are read
 * to, and keeps a worker that is ahead of it waiting. The module {@code io.zarrengine.gpu} is the
 * provider for NVIDIA GPUs.
 */
package io.zarrengine.zarr.device;
