package io.zarrengine.cuda;

/** A piece for a kernel, and the expected target. */
interface KernelCase {
    /** One of our kernels that take pieces. */
    interface Launch {
        void queue(
                ChunkKernels kernels, CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
                throws CudaException;
    }

    /** Returns the chunk. */
    byte[] encoded();

    byte[] targetBefore();

    /** Returns the alignment of the chunk's address, in bytes. */
    int sourceMultiple();

    int targetMultiple();

    /** Returns the expected target, by the slow twin. */
    byte[] targetAfter();

    /** Describes the piece of a chunk and a target at these addresses. */
    void addTo(PieceBatch batch, DeviceSlice chunk, DeviceSlice target);
}
