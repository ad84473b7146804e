/**
 * Reads to GPU memory: workers put encoded chunks into pinned slots, one thread for each device
 * copies them, has nvCOMP decode them in large batches, and our kernels put the elements where they
 * belong. The plan is the one that reads to host memory use.
 *
 * <p>{@link io.zarrengine.gpu.CudaProvider} is the way in.
 */
package io.zarrengine.gpu;
