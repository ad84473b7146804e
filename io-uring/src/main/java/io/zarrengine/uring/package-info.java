/**
 * Batched reads of byte ranges.
 *
 * <p>A {@link io.zarrengine.uring.ReadBackend} is chosen once, by a probe that performs a real
 * read. It opens files and makes {@link io.zarrengine.uring.ReadQueue}s: one for each reading
 * thread, each with many reads in flight. With io_uring a queue is a ring; without it, a queue uses
 * a pool of threads. Short reads, interruptions and retries are handled inside the queue.
 *
 * <p>Depends on {@code io.zarrengine.bindings}.
 */
package io.zarrengine.uring;
