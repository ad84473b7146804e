package io.zarrengine.cuda;

/** A piece for a kernel, and what the target is afterwards. */
interface KernelCase {
    /** The chunk. */
    byte[] encoded();

    byte[] targetBefore();

    /** By the slow twin. */
    byte[] targetAfter();

    /** Describes the piece, of a chunk and in a target that lie there. */
    void addTo(PieceBatch batch, DeviceSlice chunk, DeviceSlice target);
}
