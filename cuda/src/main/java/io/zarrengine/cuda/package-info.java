/**
 * CUDA devices. {@link io.zarrengine.cuda.CudaRuntime} finds whether there is a device, and what is
 * missing otherwise. {@link io.zarrengine.cuda.CudaDevice} provides its streams, events, memory and
 * our kernels.
 *
 * <p>All calls to a device are made on its one {@link io.zarrengine.cuda.DeviceThread}; objects
 * opened on a device check that. The result of every call is checked. A failure is a {@link
 * io.zarrengine.cuda.CudaException} with the call and the number. A failure that makes the device
 * unusable for the process is kept in {@link io.zarrengine.cuda.CudaDevice#loss}.
 *
 * <p>Depends on {@code io.zarrengine.bindings}.
 *
 * <p>Exceptions are serializable like all Java exceptions; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.cuda;
