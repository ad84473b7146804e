/**
 * Transforms of samples: casts, scales, masks, downsampling and permutations, in one pass from the
 * read elements to the batch.
 *
 * <p>A {@link io.zarrengine.zarr.transform.Transform} is a list of steps. For the type and the
 * shape of a sample it becomes a {@link io.zarrengine.zarr.transform.Kernel}, which computes on the
 * CPU, or its {@link io.zarrengine.zarr.transform.Program}, for a GPU.
 */
package io.zarrengine.zarr.transform;
