/**
 * Reading and writing Zarr: the whole of the public interface but metadata and errors.
 *
 * <p>A {@link io.zarrengine.zarr.ZarrEngine} owns threads and memory, and opens {@link
 * io.zarrengine.zarr.ZarrArray}s and {@link io.zarrengine.zarr.ZarrGroup}s. A {@link
 * io.zarrengine.zarr.Selection} says which elements; they go to memory of the caller's, or to a
 * {@link io.zarrengine.zarr.HostTensor}. All of them may be used by many threads at once. A {@link
 * io.zarrengine.zarr.SliceLoader} reads ahead for one thread, a training loop.
 *
 * <p>The future of a read completes only when nobody writes to the target any more. {@code cancel},
 * {@code complete}, {@code completeExceptionally} and {@code completeAsync}, and the deadlines
 * {@code orTimeout} and {@code completeOnTimeout}, ask for the read to be given up: a little later
 * the future completes with what they say, unless the read has ended or failed before, or somebody
 * else has given it up. So look at what it has completed with, and close a tensor that has come all
 * the same. It cannot be obtruded.
 */
package io.zarrengine.zarr;
