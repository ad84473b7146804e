/**
 * Reads many ranges of many files into memory, in one call.
 *
 * <p>{@link io.zarrengine.uring.ranges.RangeReader} is the entry: it plans a {@link
 * io.zarrengine.uring.ranges.ReadBatch}, keeps its reads in flight on a few threads and completes a
 * future. It is for any program that reads ranges, and knows nothing of their content.
 *
 * <p>Depends on {@code io.zarrengine.uring}, its plan and its cache of files.
 *
 * <p>Exceptions are serializable like all exceptions of Java; their serialized form is not
 * specified.
 *
 * @serial exclude
 */
package io.zarrengine.uring.ranges;
