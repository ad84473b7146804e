package io.zarrengine.cuda;

import io.zarrengine.kernels.CompiledCode;
import java.io.IOException;

/**
 * Our kernels, which place pieces of decoded chunks, converted or not, and compute transforms.
 *
 * <p>Owner: the code that opened it, on the device's thread. Threads: the device's.
 */
public final class ChunkKernels implements AutoCloseable {
    /** Blocks of 256 threads that a multiprocessor runs or holds ready. */
    private static final int BLOCKS_PER_MULTIPROCESSOR = 32;

    private final KernelImage image;
    private final CudaKernel place;
    private final CudaKernel convert;
    private final CudaKernel transform;
    private final CudaKernel transformMeans;
    private final int blocksMax;

    private ChunkKernels(KernelImage image, int blocksMax) throws CudaException {
        this.image = image;
        this.blocksMax = blocksMax;
        place = image.kernel("zarr_place");
        convert = image.kernel("zarr_convert");
        transform = image.kernel("zarr_transform");
        transformMeans = image.kernel("zarr_transform_means");
    }

    /**
     * Loads the kernels.
     *
     * @param device the device that runs them; called on its thread
     * @return kernels owned by the caller
     * @throws IOException if there is no code for this device (older than Turing), or the driver is
     *     too old
     */
    public static ChunkKernels open(CudaDevice device) throws IOException {
        KernelImage image = KernelImage.open(device, CompiledCode.CUDA.bytes());
        try {
            int multiprocessors = device.properties().multiprocessors();
            return new ChunkKernels(image, multiprocessors * BLOCKS_PER_MULTIPROCESSOR);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            image.close();
            throw t;
        }
    }

    /**
     * Queues the placing of a batch of pieces.
     *
     * @param stream the stream to queue it in
     * @param batch the pieces
     * @param descriptors their descriptors, copied to the device earlier in the stream
     * @throws CudaException if the call fails
     */
    public void place(CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
            throws CudaException {
        launch(place, stream, batch, descriptors);
    }

    /**
     * Queues the placing of a batch of pieces that are converted.
     *
     * @param stream the stream to queue it in
     * @param batch the pieces, all added by {@link PieceBatch#addConverted}
     * @param descriptors their descriptors, copied to the device earlier in the stream
     * @throws CudaException if the call fails
     */
    public void convert(CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
            throws CudaException {
        launch(convert, stream, batch, descriptors);
    }

    private void launch(
            CudaKernel kernel, CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
            throws CudaException {
        if (batch.count() == 0) {
            return;
        }
        long address = descriptors.pointer(batch.descriptors().byteSize()).address();
        int blocks = (int) Math.min(batch.tiles(), blocksMax);
        kernel.launch(stream, blocks, address, batch.count(), batch.tiles());
    }

    /**
     * Queues a transform of samples.
     *
     * @param stream the stream to queue it in
     * @param parameters describe it
     * @param samples their number
     * @param source the samples
     * @param target receives the results, from its beginning on
     * @throws IllegalArgumentException if the source or the target is too small
     * @throws CudaException if the call fails
     */
    public void transform(
            CudaStream stream,
            TransformParameters parameters,
            long samples,
            DeviceSlice source,
            DeviceSlice target)
            throws CudaException {
        long units = samples * parameters.elements() / parameters.together();
        if (units == 0) {
            return;
        }
        long from = source.pointer(parameters.sourceBytes(samples)).address();
        long to = target.pointer(parameters.targetBytes(samples)).address();
        int blocks =
                (int) Math.min(Math.ceilDiv(units, (long) CudaKernel.THREADS_PER_BLOCK), blocksMax);
        CudaKernel kernel = parameters.levels() == 1 ? transform : transformMeans;
        kernel.launch(stream, blocks, parameters.bytes(), from, to, units);
    }

    /** Unloads the kernels. No launch of them may be queued. */
    @Override
    public void close() {
        image.close();
    }
}
