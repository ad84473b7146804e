/**
 * Batches of samples for a training loop, read ahead.
 *
 * <p>A {@link io.zarrengine.zarr.loader.Sampler} defines the samples of an array. A {@link
 * io.zarrengine.zarr.loader.Loader} orders them, divides them into epochs, ranks and batches, and
 * delivers the batches. A {@link io.zarrengine.zarr.loader.LoaderState} is the position from which
 * a later loader continues.
 */
package io.zarrengine.zarr.loader;
