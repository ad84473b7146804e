/**
 * Reading and writing Zarr: the whole of the public interface but metadata and errors.
 *
 * <p>A {@link io.zarrengine.zarr.ZarrEngine} owns threads and memory, and opens {@link
 * io.zarrengine.zarr.ZarrArray}s and {@link io.zarrengine.zarr.ZarrGroup}s. A {@link
 * io.zarrengine.zarr.Selection} says which elements; they go to memory of the caller's, or to a
 * {@link io.zarrengine.zarr.HostTensor}. All of them may be used by many threads at once.
 */
package io.zarrengine.zarr;
