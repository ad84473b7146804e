package io.zarrengine.cuda;

/** A piece for a kernel, and what the target is afterwards. */
interface KernelCase {
    /** One of our kernels that take pieces. */
    interface Launch {
        void queue(
                ChunkKernels kernels, CudaStream stream, PieceBatch batch, DeviceSlice descriptors)
                throws CudaException;
    }

    /** The chunk. */
    byte[] encoded();

    byte[] targetBefore();

    /** What the chunk's address is to be a multiple of, in bytes. */
    int sourceMultiple();

    int targetMultiple();

    /** By the slow twin. */
    byte[] targetAfter();

    /** Describes the piece, of a chunk and in a target that lie there. */
    void addTo(PieceBatch batch, DeviceSlice chunk, DeviceSlice target);
}
