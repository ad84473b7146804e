/**
 * The provider of NVIDIA GPUs: {@link io.zarrengine.gpu.CudaProvider}.
 *
 * <p>Workers put encoded chunks into pinned slots ({@code slot}). One thread per device copies the
 * slots, has nvCOMP decode the chunks in large batches, and has our kernels place the elements
 * ({@code batch}). {@code chunk} describes chunks, {@code read} contains the reads, {@code file}
 * the files that a device copies from by itself, and {@code tuning} decides when to launch and
 * whether the device or a worker decodes.
 */
package io.zarrengine.gpu;
