package io.zarrengine.zarr.write;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.store.AtomicFile;
import io.zarrengine.zarr.store.LeftoverFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CancellationException;

/**
 * Encodes chunks and writes their files. A file appears complete or not at all, because it is
 * written to a temporary file and then moved into place. Owner: one thread.
 */
public final class ChunkFileWriter implements AutoCloseable {
    private static final long PART_BYTES_MAX = 1L << 30;

    private final ChunkPipeline pipeline;
    private final LeftoverFiles left;
    private final ChunkEncoder encoder;
    private final GrowingMemory encoded = new GrowingMemory();

    /**
     * Creates a writer for the calling thread.
     *
     * @param pipeline the codecs of a chunk
     * @param fillElement one element, in native byte order
     * @param left deletes temporary files of killed writers; shared by the writers of the array
     */
    public ChunkFileWriter(ChunkPipeline pipeline, MemorySegment fillElement, LeftoverFiles left) {
        this.pipeline = pipeline;
        this.left = left;
        this.encoder = new ChunkEncoder(fillElement);
    }

    /**
     * Writes a chunk. If it holds only the fill value, its file is deleted instead.
     *
     * @param file the file of the chunk
     * @param elements all of its elements, in C order and native byte order
     * @throws StoreException if it cannot be encoded or written
     * @throws CancellationException if the calling thread is interrupted
     */
    public void write(Path file, MemorySegment elements) {
        // Checked here because a deletion would not notice the interrupt.
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        try {
            encoded.clear();
            if (encoder.encode(pipeline, elements, encoded)) {
                AtomicFile.write(
                        file,
                        left,
                        this::writeContent,
                        beside -> Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE));
            } else {
                Files.deleteIfExists(file);
            }
        } catch (CodecException e) {
            throw new StoreException(file.toString(), "cannot be encoded: " + e.getMessage(), e);
        } catch (ClosedByInterruptException e) {
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        } catch (IOException e) {
            throw StoreException.of(file.toString(), e);
        }
    }

    private void writeContent(Path beside) throws IOException {
        try (FileChannel channel =
                FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            writeAll(channel, encoded.content());
        }
    }

    private static void writeAll(FileChannel channel, MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize(); at += PART_BYTES_MAX) {
            long part = Math.min(PART_BYTES_MAX, bytes.byteSize() - at);
            ByteBuffer buffer = bytes.asSlice(at, part).asByteBuffer();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    @Override
    public void close() {
        encoded.close();
        encoder.close();
    }
}
