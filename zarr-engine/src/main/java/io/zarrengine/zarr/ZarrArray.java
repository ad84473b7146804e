package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.PipelineParser;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.EngineClosedException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.execute.ReadRequest;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.DataType;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.store.ChunkFileSizes;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.MetadataFiles;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * An array. Threads: any; thousands of virtual threads may read at once.
 *
 * <p>Owner: who opened it. An open array keeps its chunk files open, as they were when they were
 * first read: to see files that were replaced since, open it again.
 */
public final class ZarrArray implements ZarrNode {
    private final ZarrEngine engine;
    private final Path path;
    private final ArrayMetadata metadata;
    private final ChunkFiles files;
    private final ReadRequest.Source source;
    private volatile boolean closed;

    ZarrArray(ZarrEngine engine, Path path, ArrayMetadata metadata) {
        String document = MetadataFiles.document(path).toString();
        ChunkPipeline pipeline = PipelineParser.parse(document, metadata);
        this.engine = engine;
        this.path = path;
        this.metadata = metadata;
        this.files = new ChunkFiles(engine.backend(), path);
        this.source =
                new ReadRequest.Source(
                        files, metadata.chunkKeyEncoding(), pipeline, fillElement(metadata));
    }

    /** The fill value in native byte order. */
    static MemorySegment fillElement(ArrayMetadata metadata) {
        byte[] element = metadata.fillValue();
        int unit = metadata.dataType().byteOrderUnit();
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
            for (int at = 0; at < element.length; at += unit) {
                for (int i = 0; i < unit / 2; i++) {
                    byte swapped = element[at + i];
                    element[at + i] = element[at + unit - 1 - i];
                    element[at + unit - 1 - i] = swapped;
                }
            }
        }
        return MemorySegment.ofArray(element).asReadOnly();
    }

    @Override
    public Path path() {
        return path;
    }

    /** {@return everything that the array's document says} */
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return metadata.shape();
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return metadata.dataType();
    }

    @Override
    public Map<String, Object> attributes() {
        return metadata.attributes();
    }

    /**
     * {@return the shape of what a selection reads, in elements}
     *
     * @param selection which elements
     * @throws IndexOutOfBoundsException if it is not inside the array
     * @throws IllegalArgumentException if it does not fit the array's dimensions
     */
    public long[] shapeOf(Selection selection) {
        return selection.resolve(metadata.shape()).resultShape();
    }

    /**
     * {@return the size of what a selection reads, in bytes}
     *
     * @param selection which elements
     * @throws IndexOutOfBoundsException if it is not inside the array
     * @throws IllegalArgumentException if it does not fit the array's dimensions
     */
    public long bytesOf(Selection selection) {
        return selection.resolve(metadata.shape()).bytes(dataType().byteSize());
    }

    /**
     * {@return the shape of the smallest part that is read and decoded by itself, in elements: an
     * inner chunk if the array is sharded, else a chunk}
     */
    public long[] innerChunkShape() {
        return source.pipeline().innermostShape();
    }

    /**
     * {@return what the array takes on disk now}
     *
     * @throws StoreException if its folder cannot be listed
     */
    public StoredSize storedSize() {
        ChunkFileSizes stored = ChunkFileSizes.of(path);
        return new StoredSize(stored.files(), stored.bytes(), bytesOf(Selection.all()));
    }

    /**
     * Reads to new memory and waits for it.
     *
     * @param selection which elements
     * @return the elements; the caller closes it
     * @throws CorruptChunkException if a chunk is damaged
     * @throws StoreException if a file cannot be read
     * @throws EngineClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public HostTensor read(Selection selection) {
        HostTensor tensor = newTensor(selection);
        try {
            readAndWait(selection, tensor.segment());
            return tensor;
        } catch (RuntimeException | Error e) {
            tensor.close();
            throw e;
        }
    }

    /**
     * Reads to memory of the caller's and waits for it.
     *
     * @param selection which elements
     * @param target where they go, in C order and native byte order: native, mapped or heap memory
     *     of at least {@link #bytesOf} bytes that the calling thread may write, also of a confined
     *     arena
     * @throws CorruptChunkException if a chunk is damaged; the target's content is then undefined
     * @throws StoreException if a file cannot be read
     * @throws EngineClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if the selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     target cannot be written
     */
    public void read(Selection selection, MemorySegment target) {
        // The caller waits here, so its confined arena stays open.
        readAndWait(selection, engine.isReachable(target) ? target : withoutOwner(target));
    }

    /**
     * Reads to new memory.
     *
     * @param selection which elements
     * @return completes with the elements, which the receiver closes, or with an exception of
     *     {@link #read(Selection)}. Cancelling it gives the read up
     * @throws EngineClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public CompletableFuture<HostTensor> readAsync(Selection selection) {
        HostTensor tensor = newTensor(selection);
        try {
            ReadRequest request = submit(selection, tensor.segment());
            request.whenEnded(failure -> {
                if (failure != null) {
                    tensor.close();
                }
            });
            return ReadFuture.of(request, tensor);
        } catch (RuntimeException | Error e) {
            tensor.close();
            throw e;
        }
    }

    /**
     * Reads to memory of the caller's.
     *
     * @param selection which elements
     * @param target where they go, in C order and native byte order: native, mapped or heap memory
     *     of at least {@link #bytesOf} bytes that every thread may write. It must not be freed or
     *     used for something else before the future has completed
     * @return completes when the elements are there, or with an exception of {@link
     *     #read(Selection, MemorySegment)}. Cancelling it gives the read up; it completes when the
     *     target is not written any more
     * @throws EngineClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     target cannot be written, or not by other threads
     */
    public CompletableFuture<Void> readAsync(Selection selection, MemorySegment target) {
        if (!engine.isReachable(target)) {
            throw new IllegalArgumentException(
                    "the target belongs to a confined arena: other threads cannot write it");
        }
        return ReadFuture.of(submit(selection, target), null);
    }

    private HostTensor newTensor(Selection selection) {
        ResolvedSelection resolved = selection.resolve(metadata.shape());
        return new HostTensor(
                dataType(), resolved.resultShape(), resolved.bytes(dataType().byteSize()));
    }

    private static MemorySegment withoutOwner(MemorySegment target) {
        if (!target.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException("the target belongs to another thread");
        }
        NativeAccess.denial()
                .ifPresent(denial -> {
                    throw new IllegalArgumentException(
                            "the target belongs to a confined arena, and " + denial);
                });
        return target.isReadOnly() ? target : NativeHandle.withoutOwner(target);
    }

    private void readAndWait(Selection selection, MemorySegment target) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        await(submit(selection, target));
    }

    private ReadRequest submit(Selection selection, MemorySegment target) {
        if (closed) {
            throw new EngineClosedException(path.toString());
        }
        int elementBytes = dataType().byteSize();
        ResolvedSelection resolved = selection.resolve(metadata.shape());
        if (resolved.bytes(elementBytes) > target.byteSize()) {
            throw new IndexOutOfBoundsException(
                    "the target has "
                            + target.byteSize()
                            + " bytes, the selection "
                            + resolved.bytes(elementBytes));
        }
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target is read-only");
        }
        GridPlan plan = new GridPlan(resolved.region(elementBytes), metadata.chunkShape());
        ReadRequest request = new ReadRequest(source, plan, target);
        engine.executor().submit(request);
        return request;
    }

    private static void await(ReadRequest request) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    request.await();
                    return;
                } catch (InterruptedException e) { // The target is still being written.
                    interrupted = true;
                    request.fail(new CancellationException("interrupted"));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the chunk files. Reads that are under way go on. */
    @Override
    public void close() {
        closed = true;
        files.close();
    }

    @Override
    public String toString() {
        return path + ": " + dataType().typeName() + Arrays.toString(metadata.shape());
    }
}
