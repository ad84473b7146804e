/**
 * The public interface for reading and writing Zarr, except metadata and errors.
 *
 * <p>A {@link io.zarrengine.zarr.ZarrEngine} owns threads and memory, and opens {@link
 * io.zarrengine.zarr.ZarrArray}s and {@link io.zarrengine.zarr.ZarrGroup}s. A {@link
 * io.zarrengine.zarr.Selection} selects elements. They are read to the caller's memory, or to a
 * {@link io.zarrengine.zarr.HostTensor}. Many threads may use all of these at once.
 *
 * <p>The future of a read completes only when no thread writes to the target any more. {@code
 * cancel}, {@code complete}, {@code completeExceptionally} and {@code completeAsync}, and the
 * deadlines {@code orTimeout} and {@code completeOnTimeout}, request that the read stop. A little
 * later the future completes with the requested outcome, unless the read has already ended or
 * failed, or another thread has already stopped it. So check the outcome of the future, and close a
 * tensor that was returned nevertheless. The future's outcome cannot be overwritten ({@code
 * obtrudeValue}, {@code obtrudeException}).
 */
package io.zarrengine.zarr;
