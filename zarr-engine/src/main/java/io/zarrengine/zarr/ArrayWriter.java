package io.zarrengine.zarr;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.metadata.MetadataWriter;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.PipelineParser;
import io.zarrengine.zarr.place.Fill;
import io.zarrengine.zarr.plan.GridPosition;
import io.zarrengine.zarr.store.DocumentChange;
import io.zarrengine.zarr.store.DocumentLocks;
import io.zarrengine.zarr.store.StoredNode;
import io.zarrengine.zarr.write.ChunkTarget;
import io.zarrengine.zarr.write.ChunkWriter;
import io.zarrengine.zarr.write.FileChunkTarget;
import io.zarrengine.zarr.write.ObjectChunkTarget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Writes the chunks of an array: whole chunks of its grid, or whole shards if it is sharded.
 *
 * <p>The writer creates or replaces the file of a chunk as a whole. A program that opens the file
 * gets the old chunk or the new one. A {@link ZarrArray} of the same engine and path reads the new
 * one from then on; in other processes, open the array again. Chunks are written without locks.
 * Several writers, also in several processes, may write different chunks at once. If several write
 * the same chunk, the last one wins.
 *
 * <p>Threads: any; each chunk is written by one call.
 */
public final class ArrayWriter {
    private final EngineResources engine;
    private final String name;
    private final ArrayMetadata metadata;
    private final ChunkPipeline pipeline;
    private final MemorySegment fillElement;
    private final long[] gridShape;
    private final ChunkTarget target;

    /** Produces the elements of a chunk. */
    @FunctionalInterface
    public interface ChunkSource {
        /**
         * Fills in a chunk. Called from several threads at once.
         *
         * @param coordinates of the chunk in the grid
         * @param elements all elements of the chunk, in C order and native byte order, including
         *     the part that lies outside the array; initially they hold the fill value
         */
        void fill(long[] coordinates, MemorySegment elements);
    }

    @Override
    public String toString() {
        return "writer of "
                + name
                + ": "
                + metadata.dataType().typeName()
                + Arrays.toString(metadata.shape());
    }

    private ArrayWriter(
            EngineResources engine,
            String name,
            ChunkTarget target,
            String document,
            ArrayMetadata metadata) {
        this.engine = engine;
        this.name = name;
        this.target = target;
        this.metadata = metadata;
        if (!metadata.chunkGrid().isRegular()) {
            throw new FormatException(document, "chunk_grid", "cannot be written yet, only read");
        }
        this.pipeline =
                ArrayPipeline.forWriting(document, metadata, engine.codecProviders()).largest();
        pipeline.unwritable()
                .ifPresent(cause -> {
                    throw new FormatException(document, "codecs", cause);
                });
        this.fillElement = PipelineParser.fillElement(metadata);
        long[] shape = metadata.shape();
        long[] chunkShape = metadata.chunkShape();
        gridShape = new long[shape.length];
        Arrays.setAll(gridShape, d -> Math.ceilDiv(shape[d], chunkShape[d]));
    }

    /** Returns the writer of a new array, after writing the array's document: {@code text}. */
    static ArrayWriter create(
            EngineResources engine,
            Path path,
            ArrayMetadata metadata,
            Function<String, byte[]> text) {
        String name = path.toString();
        ArrayWriter writer =
                new ArrayWriter(
                        engine,
                        name,
                        new FileChunkTarget(path, engine.chunkFiles()),
                        name,
                        metadata);
        StoredNode.create(path, text);
        return writer;
    }

    /** Returns the writer of a new array in memory, after putting the array's document there. */
    static ArrayWriter create(
            EngineResources engine, MemoryStore store, String key, ArrayMetadata metadata) {
        String prefix = key.isEmpty() ? "" : key + "/";
        String name = store.name() + "/" + key;
        ChunkTarget target = new ObjectChunkTarget(store, prefix);
        ArrayWriter writer = new ArrayWriter(engine, name, target, name, metadata);
        StoredNode.create(store, prefix, document -> MetadataWriter.write(document, metadata));
        return writer;
    }

    /** Returns the writer of an existing array. */
    static ArrayWriter open(EngineResources engine, Path path, StoredNode stored) {
        String document = stored.document().toString();
        if (!(stored.metadata() instanceof ArrayMetadata metadata)) {
            throw new NodeNotFoundException(path.toString(), "is a group, not an array");
        }
        stored.requireWritable(path);
        return new ArrayWriter(
                engine,
                path.toString(),
                new FileChunkTarget(path, engine.chunkFiles()),
                document,
                metadata);
    }

    /** {@return the number of chunks along each dimension} */
    public long[] gridShape() {
        return gridShape.clone();
    }

    /** {@return the size in bytes of the elements of a chunk} */
    public long chunkBytes() {
        return pipeline.decodedBytes();
    }

    /**
     * Writes all chunks. Uses as many threads as the engine has workers, or one for each chunk if
     * there are fewer chunks.
     *
     * <p>Each thread takes memory outside the heap and outside the engine's budget: the elements of
     * a chunk and its encoded form. That is two to three times {@link #chunkBytes}, and up to five
     * times for shards. An engine with fewer workers takes less.
     *
     * @param source makes the elements of each chunk
     * @throws StoreException if a chunk cannot be written; other chunks may have been written
     * @throws CancellationException if the calling thread is interrupted: no further chunk is
     *     begun, and the chunks that were begun are written
     */
    public void writeAll(ChunkSource source) {
        writeAll(source, Thread.ofPlatform().name("zarr-engine-write-", 0).factory());
    }

    /** Writes all chunks on threads of the given factory. Tests pass their own. */
    void writeAll(ChunkSource source, ThreadFactory newThreads) {
        AtomicLong next = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        try {
            long useful = Math.min(engine.executor().options().workers(), chunks());
            for (int i = 0; i < useful; i++) {
                threads.add(newThreads.newThread(() -> writeSome(source, next, failure)));
                threads.getLast().start();
            }
        } catch (OutOfMemoryError e) { // Thread.start throws it if the system refuses a thread.
            // Started threads stop soon. They use the source until the loop below joins them.
            failure.compareAndSet(null, e);
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    failure.compareAndSet(null, new CancellationException("interrupted"));
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("chunks fail unchecked", failure.get());
        }
    }

    private long chunks() {
        return Arrays.stream(gridShape).reduce(1, (a, b) -> a * b);
    }

    private void writeSome(
            ChunkSource source, AtomicLong next, AtomicReference<Throwable> failure) {
        long chunks = chunks();
        try (Arena arena = Arena.ofConfined();
                ChunkWriter writer = new ChunkWriter(pipeline, fillElement, target)) {
            MemorySegment elements = arena.allocate(chunkBytes(), Long.BYTES);
            long chunk = next.getAndIncrement();
            while (chunk < chunks && failure.get() == null) {
                long[] coordinates = GridPosition.of(chunk, gridShape);
                Fill.fillRun(elements, fillElement);
                source.fill(coordinates, elements);
                writer.write(key(coordinates), elements);
                chunk = next.getAndIncrement();
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /**
     * Writes one chunk.
     *
     * @param coordinates of the chunk in the grid
     * @param elements all elements of the chunk, in C order and native byte order; {@link
     *     #chunkBytes} bytes, native or on the heap
     * @throws IndexOutOfBoundsException if the grid has no such chunk, or the size is wrong
     * @throws StoreException if the chunk cannot be written
     * @throws CancellationException if the calling thread is interrupted: the stored chunk is
     *     unchanged
     */
    public void writeChunk(long[] coordinates, MemorySegment elements) {
        requireInGrid(coordinates);
        if (elements.byteSize() != chunkBytes()) {
            throw new IndexOutOfBoundsException(
                    "the elements have %d bytes, a chunk has %d"
                            .formatted(elements.byteSize(), chunkBytes()));
        }
        try (ChunkWriter writer = new ChunkWriter(pipeline, fillElement, target)) {
            writer.write(key(coordinates), elements);
        }
    }

    /**
     * Changes the shape of the array. Chunks outside of the new one are deleted; the others are not
     * changed, so that elements of a chunk at the edge show up again if the array grows later. New
     * elements have the fill value. Arrays that are open, and this writer, keep the old shape: open
     * them again.
     *
     * @param shape the length of each dimension, in elements
     * @return a writer of the resized array
     * @throws IllegalArgumentException if it has another number of dimensions
     * @throws FormatException if a length is negative, or the document is no longer valid
     * @throws StoreException if chunks cannot be deleted, or the document cannot be written
     * @throws UnsupportedOperationException if the array is in memory
     */
    public ArrayWriter resize(long... shape) {
        FileChunkTarget files = files();
        if (shape.length != gridShape.length) {
            throw new IllegalArgumentException(
                    "%s: the new shape %s has %d dimensions, the array has %d"
                            .formatted(
                                    name, Arrays.toString(shape), shape.length, gridShape.length));
        }
        Lock lock = DocumentLocks.of(files.folder());
        lock.lock();
        try {
            return resizeNow(files, shape);
        } finally {
            lock.unlock();
        }
    }

    private ArrayWriter resizeNow(FileChunkTarget files, long... shape) {
        Path path = files.folder();
        StoredNode now = StoredNode.at(path, engine.backend(), engine.dataTypes());
        DocumentChange change =
                DocumentChange.of(
                        now, "shape", Arrays.stream(shape).boxed().toList(), engine.dataTypes());
        ArrayWriter resized =
                new ArrayWriter(
                        engine,
                        name,
                        files,
                        now.document().toString(),
                        (ArrayMetadata) change.metadata());
        long[] before = ((ArrayMetadata) now.metadata()).shape();
        boolean isCut = IntStream.range(0, shape.length).anyMatch(d -> shape[d] < before[d]);
        // Before the document is replaced: else those that are left show up if the array grows.
        change.write(() -> {
            if (isCut) {
                resized.removeOutside(files);
            }
        });
        return resized;
    }

    private void removeOutside(FileChunkTarget files) {
        ChunkKeyEncoding keys = metadata.chunkKeyEncoding();
        try {
            files.removeIf(keys, gridShape.length, key -> !keys.isKey(key, gridShape));
        } catch (IOException e) {
            throw StoreException.of(name, e);
        }
    }

    /**
     * Deletes all chunks, also those outside of the array's shape: all elements have the fill
     * value. Symbolic links among them are removed, and what they lead to stays: it may be another
     * array's.
     *
     * @throws StoreException if chunks cannot be deleted
     * @throws UnsupportedOperationException if the array is in memory
     */
    public void clear() {
        FileChunkTarget files = files();
        try {
            files.clear(metadata.chunkKeyEncoding(), gridShape.length);
        } catch (IOException e) {
            throw StoreException.of(name, e);
        }
    }

    private FileChunkTarget files() {
        if (target instanceof FileChunkTarget files) {
            return files;
        }
        throw new UnsupportedOperationException(
                name + ": arrays in memory are neither resized nor cleared");
    }

    /**
     * Has the arrays that are open in this engine read a chunk as it is stored now, if another
     * program may have replaced it.
     *
     * @param coordinates of the chunk in the grid
     * @throws IndexOutOfBoundsException if the grid has no such chunk
     */
    public void refreshChunk(long... coordinates) {
        requireInGrid(coordinates);
        target.refresh(key(coordinates));
    }

    private void requireInGrid(long... coordinates) {
        if (!isInGrid(coordinates)) {
            throw new IndexOutOfBoundsException(
                    "chunk "
                            + Arrays.toString(coordinates)
                            + " is not in the grid of chunks, whose shape is "
                            + Arrays.toString(gridShape));
        }
    }

    private boolean isInGrid(long... coordinates) {
        return coordinates.length == gridShape.length
                && IntStream.range(0, gridShape.length)
                        .allMatch(d -> coordinates[d] >= 0 && coordinates[d] < gridShape[d]);
    }

    private String key(long[] coordinates) {
        return metadata.chunkKeyEncoding().key(coordinates);
    }
}
