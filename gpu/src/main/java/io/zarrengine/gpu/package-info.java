/**
 * The provider of NVIDIA GPUs: {@link io.zarrengine.gpu.CudaProvider}.
 *
 * <p>Workers put encoded chunks into pinned slots ({@code slot}); one thread for each device copies
 * them, has nvCOMP decode them in large batches, and our kernels put the elements where they belong
 * ({@code batch}). A chunk is described in {@code chunk}, a read lies in {@code read}, files that a
 * device copies from by itself in {@code file}; {@code tuning} says who decodes and when.
 */
package io.zarrengine.gpu;
