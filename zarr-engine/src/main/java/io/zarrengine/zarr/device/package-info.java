/**
 * Reads to GPU memory: workers put encoded chunks into pinned slots, one thread for each device
 * copies them, has nvCOMP decode them in large batches, and our kernels put the elements where they
 * belong. The plan is the one that reads to host memory use.
 *
 * <p>Only {@link io.zarrengine.zarr.device.Devices} and {@link
 * io.zarrengine.zarr.device.DeviceRead} are for the public API above; CUDA and nvCOMP are optional,
 * and only this package needs them.
 */
package io.zarrengine.zarr.device;
