package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The chunks of one launch: 44 bytes of pointers, sizes and results for each, in pinned memory,
 * with a copy on the device.
 *
 * <p>Owner: both memories' owners. Threads: the device's, but {@link #isDone}, any. Lent to: the
 * device, from {@link BatchDecoder#decode} or {@link BatchEncoder#encode} until {@link #isDone} is
 * true; then results may be read and the batch be filled again.
 */
public abstract sealed class ChunkBatch permits DecodeBatch, EncodeBatch {
    /**
     * Bytes per chunk before each of the six arrays. The arrays follow one another, each with room
     * for all chunks; the sequence numbers come last.
     */
    private static final long SOURCES = 0;

    private static final long SOURCE_BYTES = 8;
    private static final long CAPACITIES = 16;
    private static final long TARGETS = 24;
    private static final long ACTUAL_BYTES = 32;
    private static final long STATUSES = 40;
    private static final long BYTES_PER_CHUNK = 44;

    /** Size of two sequence numbers: the one copied to the device, and the one copied back. */
    private static final long SEQUENCE_BYTES = 16;

    private static final VarHandle SEQUENCE = JAVA_INT.varHandle();

    private final MemorySegment host;
    private final DeviceSlice device;
    private final int chunksMax;
    private int count;
    private long sourceAddressBits;
    private long targetAddressBits;
    private long chunkBytesMax;
    private long decodedBytes;
    private int sequence;

    ChunkBatch(MemorySegment host, DeviceSlice device, int chunksMax) {
        this.host = host.asSlice(0, bytes(chunksMax));
        this.device = device.slice(0, bytes(chunksMax));
        this.chunksMax = chunksMax;
        if ((host.address() | device.address()) % Long.BYTES != 0) {
            throw new IllegalArgumentException("descriptors are aligned to 8 bytes");
        }
        // An earlier batch may have left its own number in this memory.
        this.host.asSlice(sequenceOffset(chunksMax), SEQUENCE_BYTES).fill((byte) 0);
    }

    /**
     * {@return the size of a batch, in bytes}
     *
     * @param chunksMax the maximum number of chunks
     */
    public static long bytes(int chunksMax) {
        return sequenceOffset(chunksMax) + SEQUENCE_BYTES;
    }

    private static long sequenceOffset(int chunksMax) {
        return (BYTES_PER_CHUNK * chunksMax + 7) & -8L;
    }

    /** {@return the number of chunks} */
    public final int count() {
        return count;
    }

    /** {@return the maximum number of chunks} */
    public final int chunksMax() {
        return chunksMax;
    }

    /** {@return whether no more chunks fit} */
    public final boolean isFull() {
        return count == chunksMax;
    }

    /** Empties the batch. */
    public void clear() {
        count = 0;
        sourceAddressBits = 0;
        targetAddressBits = 0;
        chunkBytesMax = 0;
        decodedBytes = 0;
    }

    /** Adds a chunk. */
    final void append(long source, long sourceBytes, long target, long targetBytes) {
        if (isFull()) {
            throw new IllegalStateException("the batch holds " + chunksMax + " chunks already");
        }
        set(SOURCES, source);
        set(SOURCE_BYTES, sourceBytes);
        set(CAPACITIES, targetBytes);
        set(TARGETS, target);
        set(ACTUAL_BYTES, -1);
        host.set(JAVA_INT, array(STATUSES) + 4L * count, NvcompStatus.NOT_REACHED.code());
        sourceAddressBits |= source;
        targetAddressBits |= target;
        long chunkBytes = decodedBytes(sourceBytes, targetBytes);
        chunkBytesMax = Math.max(chunkBytesMax, chunkBytes);
        decodedBytes += chunkBytes;
        count++;
    }

    /** Returns the argument that is the chunk's decoded size. */
    abstract long decodedBytes(long sourceBytes, long targetBytes);

    private void set(long array, long value) {
        host.set(JAVA_LONG, array(array) + 8L * count, value);
    }

    /**
     * Returns the offset of an array: the bytes per chunk of all arrays before it, times the
     * chunks.
     */
    private long array(long bytesPerChunkBefore) {
        return bytesPerChunkBefore * chunksMax;
    }

    /** {@return the decoded size of the largest chunk, in bytes} */
    public final long chunkBytesMax() {
        return chunkBytesMax;
    }

    /** {@return the decoded size of all chunks, in bytes} */
    public final long decodedBytes() {
        return decodedBytes;
    }

    /** Returns whether every source address is a multiple of {@code alignment}, a power of two. */
    boolean areSourcesAligned(long alignment) {
        return (sourceAddressBits & (alignment - 1)) == 0;
    }

    boolean areTargetsAligned(long alignment) {
        return (targetAddressBits & (alignment - 1)) == 0;
    }

    /**
     * Queues the copy to the device, with a new sequence number.
     *
     * @param stream the stream that works on the batch, or one that it waits for
     * @throws CudaException if the call fails
     */
    public final void upload(CudaStream stream) throws CudaException {
        sequence++;
        host.set(JAVA_INT, sequenceOffset(chunksMax), sequence);
        stream.copyToDevice(host.asSlice(0, sequenceOffset(chunksMax) + Integer.BYTES), device);
    }

    /** Queues the copy of the results, and then of the sequence number, which arrives last. */
    void download(CudaStream stream) throws CudaException {
        long from = array(ACTUAL_BYTES);
        long bytes = array(STATUSES) + 4L * count - from;
        stream.copyToHost(device.slice(from, bytes), host.asSlice(from, bytes));
        stream.copyToHost(
                device.slice(sequenceOffset(chunksMax), Integer.BYTES),
                host.asSlice(doneOffset(), Integer.BYTES));
    }

    private long doneOffset() {
        return sequenceOffset(chunksMax) + 8;
    }

    MemorySegment sources() {
        return pointer(SOURCES);
    }

    MemorySegment sourceBytes() {
        return pointer(SOURCE_BYTES);
    }

    MemorySegment capacities() {
        return pointer(CAPACITIES);
    }

    MemorySegment targets() {
        return pointer(TARGETS);
    }

    MemorySegment actualBytes() {
        return pointer(ACTUAL_BYTES);
    }

    MemorySegment statuses() {
        return pointer(STATUSES);
    }

    private MemorySegment pointer(long array) {
        return MemorySegment.ofAddress(device.address() + array(array));
    }

    /**
     * {@return whether the results of the last launch have arrived} Does not call the driver.
     * Compares the sequence number, which the device writes last. Stays false if the device is
     * lost; an event reports that.
     */
    public final boolean isDone() {
        return sequence != 0 && (int) SEQUENCE.getAcquire(host, doneOffset()) == sequence;
    }

    /**
     * {@return the status of a chunk}
     *
     * @param chunk its index, from 0
     */
    public final NvcompStatus status(int chunk) {
        return NvcompStatus.of(statusCode(chunk));
    }

    /**
     * {@return the status of a chunk as nvCOMP's number}
     *
     * @param chunk its index, from 0
     */
    public final int statusCode(int chunk) {
        Objects.checkIndex(chunk, count);
        return host.get(JAVA_INT, array(STATUSES) + 4L * chunk);
    }

    /**
     * {@return the resulting size of a chunk in bytes; -1 if the device did not process it}
     *
     * @param chunk its index, from 0
     */
    public final long actualBytes(int chunk) {
        Objects.checkIndex(chunk, count);
        return host.get(JAVA_LONG, array(ACTUAL_BYTES) + 8L * chunk);
    }

    /**
     * {@return whether a chunk succeeded and has a valid size}
     *
     * @param chunk its index, from 0
     */
    public final boolean isSound(int chunk) {
        long room = host.get(JAVA_LONG, array(CAPACITIES) + 8L * chunk);
        return statusCode(chunk) == 0 && isSize(actualBytes(chunk), room);
    }

    /**
     * Returns whether a chunk may have this resulting size, if its target has {@code targetBytes}.
     */
    abstract boolean isSize(long actualBytes, long targetBytes);

    /** {@return the chunks that are not sound} The CPU must process them. */
    public final IntStream failedChunks() {
        return IntStream.range(0, count).filter(chunk -> !isSound(chunk));
    }
}
