package io.zarrengine.zarr.write;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;

/** Encodes chunks and stores them. Owner: one thread. */
public final class ChunkWriter implements AutoCloseable {
    private final ChunkPipeline pipeline;
    private final ChunkTarget target;
    private final ChunkEncoder encoder;
    private final GrowingMemory encoded = new GrowingMemory();

    /**
     * Creates a writer for the calling thread.
     *
     * @param pipeline the codecs of a chunk
     * @param fillElement one element, in native byte order
     * @param target stores them
     */
    public ChunkWriter(ChunkPipeline pipeline, MemorySegment fillElement, ChunkTarget target) {
        this.pipeline = pipeline;
        this.target = target;
        this.encoder = new ChunkEncoder(fillElement);
    }

    /**
     * Writes a chunk. If it holds only the fill value, it is removed instead.
     *
     * @param key of the chunk
     * @param elements all of its elements, in C order and native byte order
     * @throws StoreException if it cannot be encoded or stored
     * @throws CancellationException if the calling thread is interrupted
     */
    public void write(String key, MemorySegment elements) {
        // Checked here because a removal would not notice the interrupt.
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        try {
            encoded.clear();
            if (encoder.encode(pipeline, elements, encoded)) {
                target.put(key, encoded.content());
            } else {
                target.remove(key);
            }
        } catch (CodecException e) {
            throw new StoreException(target.name(key), "cannot be encoded: " + e.getMessage(), e);
        } catch (ClosedByInterruptException e) {
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        } catch (IOException e) {
            throw StoreException.of(target.name(key), e);
        }
    }

    @Override
    public void close() {
        encoded.close();
        encoder.close();
    }
}
