package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.gpu.chunk.AlignedStreams;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.DeviceEncoding;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.pipeline.ChunkElements;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes on the host the chunks that the device failed to decode. Failed chunks are rare, so the
 * device thread waits for them.
 *
 * <p>Owner: the pump. Threads: the device's.
 */
final class ChunkRescue implements AutoCloseable {
    /** Waits until a stream has done its work; gives up if the device hangs. */
    interface Waiting {
        void await(CudaStream stream) throws IOException;
    }

    private final GpuMemory memory;
    private final Waiting waiting;
    private final Workspace workspace;

    /**
     * {@code verifiesChecksums} decides whether checksums inside the encoded bytes are compared.
     */
    ChunkRescue(GpuMemory memory, Waiting waiting, boolean verifiesChecksums) {
        this.memory = memory;
        long ownBytes = 4L * memory.options.slotBytes(); // memory for larger chunks is not kept
        var unlimited = new MemoryBudget(Long.MAX_VALUE / 2, () -> {});
        workspace = new Workspace(verifiesChecksums, new MemoryAccount(ownBytes, unlimited));
        this.waiting = waiting;
    }

    /**
     * Decodes a chunk and places its elements.
     *
     * @param batch the batch that contained the chunk; it must be done
     * @param bytes the chunk's encoded bytes on the device
     * @return false if the chunk is corrupt or host memory ran out; the read has then failed with
     *     the cause
     */
    boolean tryRescue(DeviceBatch batch, DeviceChunk chunk, DeviceSlice bytes) throws IOException {
        workspace.begin(0, 0);
        try (Workspace.Loan lent = workspace.lend(bytes.byteSize())) {
            MemorySegment encoded = lent.segment().asSlice(0, bytes.byteSize());
            copyToHost(bytes, encoded);
            MemorySegment elements = decode(chunk.encoding(), encoded);
            DeviceSlice onDevice = batch.decoded().slice(0, elements.byteSize());
            copyToDevice(elements, onDevice);
            PieceBatch pieces = batch.onlyPieces(chunk, onDevice);
            memory.work.copyToDevice(pieces.descriptors(), batch.descriptors());
            memory.kernels.place(memory.work, pieces, batch.descriptors());
            waiting.await(memory.work);
            return true;
        } catch (CodecException e) {
            chunk.read().fail(e.ofChunk(chunk.label().get()));
            return false;
        } catch (OutOfMemoryError e) { // host memory: the device is unaffected
            chunk.read().fail(e);
            return false;
        } finally {
            workspace.end();
        }
    }

    private void copyToHost(DeviceSlice bytes, MemorySegment target) throws IOException {
        for (long at = 0; at < bytes.byteSize(); at += memory.rescuePinned.byteSize()) {
            MemorySegment staged = staged(bytes.byteSize() - at);
            memory.work.copyToHost(bytes.slice(at, staged.byteSize()), staged);
            waiting.await(memory.work);
            MemorySegment.copy(staged, 0, target, at, staged.byteSize());
        }
    }

    private void copyToDevice(MemorySegment bytes, DeviceSlice target) throws IOException {
        for (long at = 0; at < bytes.byteSize(); at += memory.rescuePinned.byteSize()) {
            MemorySegment staged = staged(bytes.byteSize() - at);
            MemorySegment.copy(bytes, at, staged, 0, staged.byteSize());
            memory.work.copyToDevice(staged, target.slice(at, staged.byteSize()));
            waiting.await(memory.work);
        }
    }

    /** Returns pinned memory of this size, or less. */
    private MemorySegment staged(long bytes) {
        return memory.rescuePinned.asSlice(0, Math.min(bytes, memory.rescuePinned.byteSize()));
    }

    private MemorySegment decode(DeviceEncoding encoding, MemorySegment encoded)
            throws CodecException {
        AlignedStreams aligned = encoding.aligned().orElse(null);
        if (aligned == null) {
            return ChunkElements.decode(
                    encoding.pipeline(), encoding.codecs().codecs(), encoded, workspace);
        }
        try (Workspace.Loan chunk = workspace.lend(aligned.chunkBytes())) {
            MemorySegment bytes = chunk.segment().asSlice(0, aligned.chunkBytes());
            aligned.restore(encoded, bytes);
            return ChunkElements.decode(
                    encoding.pipeline(), encoding.codecs().codecs(), bytes, workspace);
        }
    }

    @Override
    public void close() {
        workspace.close();
    }
}
