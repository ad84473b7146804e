package io.zarrengine.zarr;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.DecoderMissingException;
import io.zarrengine.zarr.errors.DeviceLostException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.PipelineParser;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.selection.ResolvedSelection;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.StoredNode;
import io.zarrengine.zarr.task.ChunkStarterChoice;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * An array. Threads: any; thousands of virtual threads may read at once.
 *
 * <p>Owner: the caller that opened it. An open array keeps its chunk files open, in the state in
 * which they were first read, or last written by an {@link ArrayWriter} of the same engine. To see
 * files that others have replaced since, open the array again. Futures: see the package.
 */
public final class ZarrArray implements ZarrNode {
    private final EngineResources engine;
    private final Path path;
    private final ArrayMetadata metadata;
    private final ChunkFiles files;
    private final ReadRequest.Source source;
    private final ArraySelector selector;
    private final HostReads hostReads;
    private final ArrayDeviceReader deviceReads;

    ZarrArray(EngineResources engine, Path path, StoredNode stored, ArrayMetadata metadata) {
        ArrayPipeline pipelines =
                new ArrayPipeline(stored.document().toString(), metadata, engine.codecProviders());
        this.engine = engine;
        this.path = path;
        this.metadata = metadata;
        this.files = engine.newChunkFiles(stored.store(), path);
        this.source =
                new ReadRequest.Source(
                        files,
                        metadata.chunkKeyEncoding(),
                        pipelines,
                        PipelineParser.fillElement(metadata),
                        engine.fillsMissing(),
                        ChunkStarterChoice.of(files));
        long planBytesMax = engine.executor().options().planBytesMax();
        this.selector = new ArraySelector(path, metadata, innerChunkShape(), planBytesMax);
        this.hostReads = new HostReads(engine, metadata.dataType(), source);
        this.deviceReads = new ArrayDeviceReader(engine, selector, source);
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public ArrayMetadata metadata() {
        return metadata;
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return metadata.shape();
    }

    /**
     * {@return a description of the array, as lines to print: format, shape, data type, fill value,
     * shards, chunks, codecs; without its attributes}
     */
    public String info() {
        return ArrayInfo.of(path, metadata, innerChunkShape());
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return metadata.dataType();
    }

    /**
     * {@return the shape of the result of a selection, in elements}
     *
     * @param selection the elements
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public long[] shapeOf(Selection selection) {
        return selector.resolve(selection).resultShape();
    }

    /**
     * {@return the size of the result of a selection, in bytes}
     *
     * @param selection the elements
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     elements have no fixed size
     */
    public long bytesOf(Selection selection) {
        return selector.resolveFixed(selection).bytes();
    }

    /**
     * {@return the shape of the smallest part that is read and decoded by itself, in elements: an
     * inner chunk if the array is sharded, otherwise a chunk}
     */
    public long[] innerChunkShape() {
        return source.pipelines().largest().innermostShape();
    }

    /**
     * {@return the chunks that a selection touches, in C order: the coordinates of each in the grid
     * of the smallest parts that are read and decoded by themselves, {@link #innerChunkShape}}
     *
     * @param selection the elements
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public List<long[]> chunksOf(Selection selection) {
        return selector.chunksOf(selection);
    }

    /**
     * {@return the size of the array on disk now}
     *
     * @throws StoreException if its folder cannot be listed
     */
    public StoredSize storedSize() {
        ChunkKeyEncoding keys = metadata.chunkKeyEncoding();
        long[] gridShape = metadata.chunkGrid().gridShape(metadata.shape());
        return StoredSize.of(
                files.sizes(gridShape.length, key -> keys.isKey(key, gridShape)), metadata);
    }

    /**
     * Reads to new memory and waits.
     *
     * @param selection the elements
     * @return the elements; the caller closes it
     * @throws CorruptChunkException if a chunk is damaged
     * @throws DecoderMissingException if a library is missing
     * @throws BudgetExceededException if a chunk cannot be decoded within the engine's budget
     * @throws OutOfMemoryException if the machine has no memory for the result
     * @throws StoreException if a file cannot be read
     * @throws ClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public HostTensor read(Selection selection) {
        return hostReads.read(selector.select(selection));
    }

    /**
     * Reads to the caller's memory and waits.
     *
     * @param selection the elements
     * @param target receives the elements, in C order and native byte order: native, mapped or heap
     *     memory of at least {@link #bytesOf} bytes that the calling thread may write; memory of a
     *     confined arena needs native access
     * @throws CorruptChunkException if a chunk is damaged; the target's content is then undefined
     * @throws DecoderMissingException if a library is missing
     * @throws BudgetExceededException if a chunk cannot be decoded within the engine's budget
     * @throws StoreException if a file cannot be read
     * @throws ClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if the selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     target cannot be written
     * @throws IllegalStateException if the target's arena is closed
     */
    public void read(Selection selection, MemorySegment target) {
        hostReads.read(selector.select(selection), target);
    }

    /**
     * Reads elements of variable length, for example strings, and waits.
     *
     * @param selection the elements
     * @return the elements; the caller closes it
     * @throws CorruptChunkException if a chunk is damaged
     * @throws DecoderMissingException if a library is missing
     * @throws BudgetExceededException if the elements' bytes exceed the engine's budget, or a chunk
     *     cannot be decoded within it
     * @throws StoreException if a file cannot be read
     * @throws ClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     array's elements have a fixed size
     */
    public VariableLengthTensor readVariableLength(Selection selection) {
        try (VariableLengthRead read = variableLengthRead(selection)) {
            hostReads.waitFor(read.request(), read.bytes());
            return read.tensor();
        }
    }

    /**
     * Reads elements of variable length.
     *
     * @param selection the elements
     * @return completes with the elements, which the receiver closes, or with an exception of
     *     {@link #readVariableLength}. Cancelling the future cancels the read
     * @throws ClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     array's elements have a fixed size
     */
    public CompletableFuture<VariableLengthTensor> readVariableLengthAsync(Selection selection) {
        return variableLengthRead(selection).submit(engine.executor());
    }

    private VariableLengthRead variableLengthRead(Selection selection) {
        if (!(dataType() instanceof VariableLengthType type)) {
            throw new IllegalArgumentException(
                    "elements of type " + dataType().typeName() + " have a fixed size: use read");
        }
        selector.refuseIfClosed();
        ResolvedSelection resolved = selector.resolve(selection);
        long budgetBytes = engine.executor().options().budgetBytes();
        ChunkPlan plan = resolved.plan(type.byteSize(), metadata.chunkGrid());
        return new VariableLengthRead(source, plan, type, resolved, budgetBytes);
    }

    /**
     * Reads to new memory.
     *
     * @param selection the elements
     * @return completes with the elements, which the receiver closes, or with an exception of
     *     {@link #read(Selection)}. Cancelling the future cancels the read
     * @throws ClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public CompletableFuture<HostTensor> readAsync(Selection selection) {
        return hostReads.readAsync(selector.select(selection));
    }

    /**
     * Reads to the caller's memory.
     *
     * @param selection the elements
     * @param target receives the elements, in C order and native byte order: native, mapped or heap
     *     memory of at least {@link #bytesOf} bytes that every thread may write. It must not be
     *     freed or used for something else before the future has completed
     * @return completes when the elements are there, or with an exception of {@link
     *     #read(Selection, MemorySegment)}. Cancelling the future cancels the read; it then
     *     completes when no thread writes to the target any more
     * @throws ClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     target cannot be written, or not by other threads
     * @throws IllegalStateException if the target's arena is closed
     */
    public CompletableFuture<Void> readAsync(Selection selection, MemorySegment target) {
        return hostReads.readAsync(selector.select(selection), target);
    }

    /**
     * {@return the size of the result of several selections, one after another, in bytes}
     *
     * @param selections the elements
     * @throws IndexOutOfBoundsException if a selection is not inside the array
     * @throws IllegalArgumentException if a selection does not fit the array's dimensions, or the
     *     elements have no fixed size
     */
    public long bytesOf(List<Selection> selections) {
        return selector.resolveFixed(selections).bytes();
    }

    /**
     * Reads many selections as one to new memory and waits, as {@link #read(List, MemorySegment)}
     * does.
     *
     * @param selections the elements
     * @return the elements of one selection after another; the caller closes it. If all selections
     *     have the same shape, the tensor's first dimension counts them; otherwise it has one
     *     dimension
     * @throws RuntimeException as {@link #read(Selection)} throws
     */
    public HostTensor read(List<Selection> selections) {
        return hostReads.read(selector.select(selections));
    }

    /**
     * Reads many selections as one to new memory, as {@link #read(List)} does.
     *
     * @param selections the elements
     * @return completes with the elements, which the receiver closes, or with an exception of
     *     {@link #read(Selection)}. Cancelling the future cancels the read
     * @throws RuntimeException as {@link #readAsync(Selection)} throws
     */
    public CompletableFuture<HostTensor> readAsync(List<Selection> selections) {
        return hostReads.readAsync(selector.select(selections));
    }

    /**
     * Reads many selections as one to the caller's memory and waits. A chunk or an inner chunk that
     * several selections touch is read and decoded once. A list whose plan would take more than an
     * eighth of the engine's budget, or of the heap, is split into groups of neighbouring
     * selections, and the groups are read one after another.
     *
     * @param selections the elements
     * @param target receives the elements of one selection after another, each in C order; as for
     *     {@link #read(Selection, MemorySegment)}
     * @throws CorruptChunkException if a chunk is damaged; the target's content is then undefined
     * @throws DecoderMissingException if a library is missing
     * @throws BudgetExceededException if a chunk cannot be decoded within the engine's budget
     * @throws StoreException if a file cannot be read
     * @throws ClosedException if the array or the engine is closed
     * @throws CancellationException if the calling thread is interrupted
     * @throws IndexOutOfBoundsException if a selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if a selection does not fit the array's dimensions, or the
     *     target cannot be written
     * @throws IllegalStateException if the target's arena is closed
     */
    public void read(List<Selection> selections, MemorySegment target) {
        hostReads.read(selector.select(selections), target);
    }

    /**
     * Reads many selections as one to the caller's memory, as {@link #read(List, MemorySegment)}
     * does.
     *
     * @param selections the elements
     * @param target receives the elements of one selection after another, each in C order; as for
     *     {@link #readAsync(Selection, MemorySegment)}
     * @return completes when all elements are there, or with an exception of {@link #read(List,
     *     MemorySegment)}. Cancelling the future cancels the read; it then completes when no thread
     *     writes to the target any more
     * @throws ClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if a selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if a selection does not fit the array's dimensions, or the
     *     target cannot be written, or not by other threads
     * @throws IllegalStateException if the target's arena is closed
     */
    public CompletableFuture<Void> readAsync(List<Selection> selections, MemorySegment target) {
        return hostReads.readAsync(selector.select(selections), target);
    }

    /**
     * Reads many selections as one, as {@link #read(List, MemorySegment)} does, to a tensor that
     * the caller makes once the shape of the result is known.
     *
     * @param selections the elements
     * @param allocator makes the tensor, in native memory that every thread may write
     * @return completes with the tensor, which the receiver closes, or with an exception of {@link
     *     #read(List, MemorySegment)}; the tensor is then closed. Cancelling the future cancels the
     *     read
     * @throws RuntimeException as {@link #readAsync(List)} and the allocator throw
     */
    public CompletableFuture<HostTensor> readAsync(
            List<Selection> selections, TensorAllocator allocator) {
        return hostReads.readAsync(selector.select(selections), allocator);
    }

    /**
     * Reads to the memory of a GPU. If nothing else is under way to that GPU, the calling thread
     * itself reads and decodes a result of up to 256 KiB that is in the page cache, because handing
     * it over would take longer.
     *
     * @param selection the elements
     * @param target the device, and the memory on it
     * @return completes with the elements, which the receiver closes, or with an exception of
     *     {@link #read(Selection)}; with {@link DeviceLostException} if the device fails and the
     *     memory is the caller's. Cancelling the future cancels the read; it then completes when no
     *     thread writes to the target any more
     * @throws DeviceUnavailableException if there is no such device here; the message says what is
     *     missing
     * @throws ClosedException if the array or the engine is closed
     * @throws IndexOutOfBoundsException if the selection is not inside the array, or the target is
     *     too small
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions, or the
     *     target is not aligned to the elements
     */
    public CompletableFuture<DeviceTensor> readAsync(Selection selection, Target target) {
        return deviceReads.read(selector.select(selection), target);
    }

    /**
     * Reads many selections as one to the memory of a GPU. A chunk or an inner chunk that several
     * selections touch is read and decoded once, except in lists that {@link #read(List,
     * MemorySegment)} splits into groups.
     *
     * @param selections the elements
     * @param target the device, and the memory on it
     * @return completes with the elements of one selection after another. If all selections have
     *     the same shape, the tensor's first dimension counts them; otherwise it has one dimension.
     *     Completes with the exceptions of {@link #readAsync(Selection, Target)}
     * @throws IllegalArgumentException as {@link #readAsync(Selection, Target)} throws, also its
     *     other exceptions
     */
    public CompletableFuture<DeviceTensor> readAsync(List<Selection> selections, Target target) {
        return deviceReads.read(selector.select(selections), target);
    }

    /**
     * Reads many selections to the memory of several GPUs, at once. The selections are divided in
     * order: with {@code n} selections and {@code k} targets, each target gets {@code n / k}, or
     * one more.
     *
     * @param selections the elements; at least one selection for each target
     * @param targets the devices, and the memory on them
     * @return completes with a tensor for each target, as of {@link #readAsync(List, Target)}; if
     *     one read fails, all tensors are closed
     * @throws IllegalArgumentException as {@link #readAsync(Selection, Target)} throws, also its
     *     other exceptions
     */
    public CompletableFuture<List<DeviceTensor>> readAsync(
            List<Selection> selections, List<Target> targets) {
        selector.refuseIfClosed();
        selector.refuseVariableLength();
        return deviceReads.read(selections, targets);
    }

    /**
     * Reads selections again and again, and throws the elements away, until that gets no faster or
     * the time is over: for services, whose first requests would else find code that is not
     * compiled yet. Reads real chunks, so that it also opens files and fills caches; a store gets
     * the requests of all these reads, and the engine's metrics count them.
     *
     * <p>Runs on a thread of its own, which ends soon after the future. Takes the memory of the
     * results of all selections, besides the engine's budget.
     *
     * @param typical what the service will read; as much as some of its requests together
     * @param atMost the time after which no further read begins, {@code > 0}; 5 s suffice on 2
     *     cores
     * @return completes with null, or with an exception of {@link #read(Selection)}. Closing the
     *     array or the engine ends it with {@link ClosedException}; cancelling it ends it too
     * @throws ClosedException if the array is closed
     * @throws IndexOutOfBoundsException if a selection is not inside the array
     * @throws IllegalArgumentException if there is no selection or no time, if a selection does not
     *     fit the array's dimensions, or if the elements have no fixed size
     */
    public CompletableFuture<Void> warmUp(List<Selection> typical, Duration atMost) {
        return WarmUp.start(hostReads, selector, typical, atMost);
    }

    /**
     * {@return the reason why a GPU read of a selection is decoded in host memory and then copied,
     * or empty if its chunks go to the GPU}
     *
     * @param selection the elements
     * @throws IndexOutOfBoundsException if the selection is not inside the array
     * @throws IllegalArgumentException if the selection does not fit the array's dimensions
     */
    public Optional<String> hostReason(Selection selection) {
        return deviceReads.hostReason(selector.resolveFixed(selection));
    }

    ArraySelector selector() {
        return selector;
    }

    /** Closes the chunk files. Reads that are under way continue. */
    @Override
    public void close() {
        selector.close();
        files.close();
        engine.executor().forgetFiles();
    }

    @Override
    public String toString() {
        return selector.toString();
    }
}
