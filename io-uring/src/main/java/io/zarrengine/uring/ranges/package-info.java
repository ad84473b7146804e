/**
 * Reads many ranges of many files into memory, in one call.
 *
 * <p>{@link io.zarrengine.uring.ranges.RangeReader} is the entry: it plans a {@link
 * io.zarrengine.uring.ranges.ReadBatch}, keeps its reads in flight on a few threads and completes a
 * future. It is for everybody with ranges to read; it knows nothing of what they hold.
 *
 * <p>Depends on {@code io.zarrengine.uring}, its plan and its cache of files.
 *
 * <p>Exceptions are serializable as all of Java are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.uring.ranges;
