package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes chunks on the host that the device did not decode. They are rare, so it waits.
 *
 * <p>Owner: the pump. Threads: the device's.
 */
final class ChunkRescue implements AutoCloseable {
    /** Waits for what a stream has to do, but not for ever. */
    interface Waiting {
        void await(CudaStream stream) throws IOException;
    }

    private final DeviceMemories memories;
    private final Waiting waiting;
    private final Workspace workspace;

    /** {@code verifiesChecksums}: those inside of what is decoded. */
    ChunkRescue(DeviceMemories memories, Waiting waiting, boolean verifiesChecksums) {
        workspace = new Workspace(verifiesChecksums);
        this.memories = memories;
        this.waiting = waiting;
    }

    /**
     * Puts a chunk's elements in their place.
     *
     * @param batch had the chunk, and is done
     * @param bytes the chunk's, on the device
     * @return false if it is corrupt, as its read is told
     */
    boolean tryRescue(DeviceBatch batch, DeviceChunk chunk, DeviceSlice bytes) throws IOException {
        MemorySegment encoded = memories.rescuePinned.asSlice(0, bytes.byteSize());
        memories.work.copyToHost(bytes, encoded);
        waiting.await(memories.work);
        MemorySegment elements;
        try {
            elements = decode(chunk.encoding(), encoded);
        } catch (CodecException e) {
            chunk.read().fail(e.ofChunk(chunk.label().get()));
            return false;
        }
        MemorySegment staged = memories.rescuePinned.asSlice(0, elements.byteSize());
        staged.copyFrom(elements);
        DeviceSlice onDevice = memories.rescueMemory.slice(0, staged.byteSize());
        memories.work.copyToDevice(staged, onDevice);
        PieceBatch pieces = batch.onlyPieces(chunk, onDevice);
        memories.work.copyToDevice(pieces.descriptors(), batch.descriptors());
        memories.kernels.place(memories.work, pieces, batch.descriptors());
        waiting.await(memories.work);
        return true;
    }

    private MemorySegment decode(Encoding encoding, MemorySegment encoded) throws CodecException {
        AlignedStreams aligned = encoding.aligned().orElse(null);
        if (aligned == null) {
            return HostElements.decode(
                    encoding.pipeline(), encoding.codecs().codecs(), encoded, workspace);
        }
        try (Workspace.Loan chunk = workspace.lend(aligned.chunkBytes())) {
            MemorySegment bytes = chunk.segment().asSlice(0, aligned.chunkBytes());
            aligned.restore(encoded, bytes);
            return HostElements.decode(
                    encoding.pipeline(), encoding.codecs().codecs(), bytes, workspace);
        }
    }

    @Override
    public void close() {
        workspace.close();
    }
}
