/**
 * Classes shared by all code that reads through queues, here and in the module of Zarr; not for
 * other users.
 *
 * <p>{@link io.zarrengine.uring.reading.ReadFuture} is the future that the caller of a read gets;
 * {@link io.zarrengine.uring.reading.SureCompletion} completes it also if the heap is full; {@link
 * io.zarrengine.uring.reading.ReadMemory} is the memory that a worker reads into.
 */
package io.zarrengine.uring.reading;
