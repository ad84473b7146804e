/**
 * What all who read through queues need, here and in the module of Zarr; it is not for others.
 *
 * <p>{@link io.zarrengine.uring.reading.ReadFuture} is what the caller of a read gets; {@link
 * io.zarrengine.uring.reading.ReadMemory} is where a worker's reads go.
 */
package io.zarrengine.uring.reading;
