/**
 * Turns a selection into the pieces of chunks that it needs, by arithmetic without I/O.
 *
 * <p>A {@link io.zarrengine.zarr.plan.Region} is a box, possibly strided, with the places of its
 * elements in the target. {@link io.zarrengine.zarr.plan.GridPlan} cuts it along the chunks of an
 * array, {@link io.zarrengine.zarr.plan.InnerCuts} along the inner chunks of a shard. Nested shards
 * are cut again in the same way. A piece is a number, without an object of its own. Depends on
 * nothing.
 */
package io.zarrengine.zarr.plan;
