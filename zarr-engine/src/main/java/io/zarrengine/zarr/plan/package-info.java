/**
 * Maps a selection to the pieces of chunks that it needs. Arithmetic only, without I/O.
 *
 * <p>A {@link io.zarrengine.zarr.plan.Region} is a box, possibly strided, with the target offsets
 * of its elements. {@link io.zarrengine.zarr.plan.GridPlan} cuts it along the chunks of an array,
 * {@link io.zarrengine.zarr.plan.InnerCuts} along the inner chunks of a shard. Nested shards are
 * cut again in the same way. A piece is a number; it allocates nothing. Depends on nothing.
 */
package io.zarrengine.zarr.plan;
