/**
 * From a selection to the pieces of chunks that it needs: arithmetic, without I/O.
 *
 * <p>A {@link io.zarrengine.zarr.plan.Region} is a box, possibly strided, and where its elements go
 * in the target. {@link io.zarrengine.zarr.plan.GridPlan} cuts it along the chunks of an array,
 * {@link io.zarrengine.zarr.plan.InnerCuts} along the inner chunks of a shard; nested shards are
 * cut again in the same way. A piece is a number; nothing is allocated for it. Depends on nothing.
 */
package io.zarrengine.zarr.plan;
