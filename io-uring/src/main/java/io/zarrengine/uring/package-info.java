/**
 * Batched reads of byte ranges.
 *
 * <p>A {@link io.zarrengine.uring.ReadBackend} is chosen once, by a probe that really reads. It
 * opens files and makes {@link io.zarrengine.uring.ReadQueue}s: one per thread that reads, each
 * with many reads in flight. With io_uring a queue is a ring; without it, a pool of threads stands
 * behind it. Short reads, interruptions and retries end inside the queue.
 *
 * <p>Depends on {@code io.zarrengine.bindings}.
 */
package io.zarrengine.uring;
