/**
 * CUDA devices: whether there is one and what is missing if not ({@link
 * io.zarrengine.cuda.CudaRuntime}), and for one that is there its streams, events, memory and our
 * kernels ({@link io.zarrengine.cuda.CudaDevice}).
 *
 * <p>All calls to a device are made on its one {@link io.zarrengine.cuda.DeviceThread}; what is
 * opened on a device checks that. Every call's answer is looked at: a failure is a {@link
 * io.zarrengine.cuda.CudaException} with the call and the number, and one that ends the device for
 * the process is kept in {@link io.zarrengine.cuda.CudaDevice#loss}.
 *
 * <p>Depends on {@code io.zarrengine.bindings}.
 *
 * <p>Exceptions are serializable as all of Java are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.cuda;
