/**
 * Carries out reads: workers take work, read, decode and place it.
 *
 * <p>One platform thread per core, each with its own read queue, memory and codec contexts. A
 * {@link io.zarrengine.zarr.execute.ReadRequest} hands out its chunks, a {@link
 * io.zarrengine.zarr.execute.ShardTask} the stretches of its shard; whoever has room takes the
 * next. While reads are in flight a worker decodes what has arrived. Nothing on this path blocks on
 * another thread.
 */
package io.zarrengine.zarr.execute;
