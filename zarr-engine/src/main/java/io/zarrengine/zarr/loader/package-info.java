/**
 * Batches of samples for a training loop, read ahead.
 *
 * <p>A {@link io.zarrengine.zarr.loader.Sampler} says what the samples of an array are. A {@link
 * io.zarrengine.zarr.loader.Loader} orders them, divides them into epochs, ranks and batches, and
 * delivers the batches. A {@link io.zarrengine.zarr.loader.LoaderState} is where a later loader
 * goes on.
 */
package io.zarrengine.zarr.loader;
