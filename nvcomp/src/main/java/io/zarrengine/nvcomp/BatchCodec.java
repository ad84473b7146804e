package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.nvcomp.nvcompAlignmentRequirements_t;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The common part of decoders and encoders: a format, a stream, nvCOMP's memory requirements, and
 * the handling of its results.
 *
 * <p>Owner: the code that opened it, on the stream's device thread. Threads: the device's.
 */
public abstract sealed class BatchCodec implements AutoCloseable
        permits BatchDecoder, BatchEncoder {
    /** Size of the options in every release (nvcomp/shared_types.h). */
    private static final long OPTIONS_BYTES = 64;

    final NvcompFormat format;
    final CudaStream stream;
    final MemorySegment options;
    private final String direction;
    private final QueryCalls queries;
    private final Arena arena = Arena.ofConfined();
    private final ZstdTurns turns; // null: batches of this format may run in parallel
    private final boolean hasScratch6;
    private final long sourceAlignment;
    private final long targetAlignment;
    private final long scratchAlignment;

    /**
     * {@code direction} is "Decompress" or "Compress", as in the functions' names; {@code defaults}
     * writes the default options that are not zero.
     */
    BatchCodec(
            String direction,
            NvcompFormat format,
            CudaStream stream,
            QueryCalls queries,
            Consumer<MemorySegment> defaults)
            throws IOException {
        this.direction = direction;
        this.format = format;
        this.stream = stream;
        this.queries = queries;
        turns = format == NvcompFormat.ZSTD ? new ZstdTurns(stream) : null;
        try (Arena scratch = Arena.ofConfined()) {
            options = arena.allocate(OPTIONS_BYTES, 8);
            defaults.accept(options);
            hasScratch6 = NativeLibrary.NVCOMP.has(call("GetTempSize"));
            MemorySegment alignments = nvcompAlignmentRequirements_t.allocate(scratch);
            check(queries.alignments().call(options, alignments), "GetRequiredAlignments", "");
            sourceAlignment = nvcompAlignmentRequirements_t.input(alignments);
            targetAlignment = nvcompAlignmentRequirements_t.output(alignments);
            scratchAlignment = nvcompAlignmentRequirements_t.temp(alignments);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    /** {@return the required alignment of sources in bytes, a power of two} */
    public final long sourceAlignment() {
        return sourceAlignment;
    }

    /** {@return the required alignment of targets in bytes, a power of two} */
    public final long targetAlignment() {
        return targetAlignment;
    }

    /**
     * {@return the scratch memory that a batch needs, in bytes} With less, the behaviour is
     * undefined.
     *
     * @param chunks the maximum number of chunks
     * @param chunkBytes size of the largest decoded chunk, in bytes
     * @param totalBytes size of all decoded chunks together, in bytes
     * @throws NvcompException if it is more than a batch may have
     */
    public final long scratchBytes(long chunks, long chunkBytes, long totalBytes)
            throws NvcompException {
        checkChunkBytes(chunkBytes);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment bytes = scratch.allocate(JAVA_LONG);
            String subject = chunks + " chunks of at most " + chunkBytes + " bytes";
            if (hasScratch6) {
                check(
                        queries.scratch6()
                                .call(
                                        chunks,
                                        chunkBytes,
                                        options,
                                        bytes,
                                        totalBytes,
                                        stream.handle()),
                        "GetTempSize",
                        subject);
            } else {
                check(
                        queries.scratch5().call(chunks, chunkBytes, options, bytes, totalBytes),
                        "GetTempSizeAsync",
                        subject);
            }
            return bytes.get(JAVA_LONG, 0);
        }
    }

    /**
     * Refuses chunks beyond the format's limit. 5.1 does not enforce the limits, and gives wrong
     * results beyond them.
     */
    final void checkChunkBytes(long chunkBytes) throws NvcompException {
        if (chunkBytes > chunkBytesMax()) {
            int code = NvcompStatus.CHUNK_SIZE_TOO_LARGE.code();
            throw new NvcompException(call(""), "chunks of " + chunkBytes + " bytes", code);
        }
    }

    /** Returns the size of the largest decoded chunk that is allowed, in bytes. */
    abstract long chunkBytesMax();

    /** Refuses a batch that is not aligned, or whose scratch memory is too small. */
    final void checkArguments(ChunkBatch batch, DeviceSlice scratch) throws NvcompException {
        if (!batch.areSourcesAligned(sourceAlignment)
                || !batch.areTargetsAligned(targetAlignment)
                || (scratch.address() & (scratchAlignment - 1)) != 0) {
            throw new IllegalArgumentException(
                    format
                            + " wants sources, targets and scratch aligned to "
                            + sourceAlignment
                            + ", "
                            + targetAlignment
                            + " and "
                            + scratchAlignment
                            + " bytes");
        }
        long needed = scratchBytes(batch.count(), batch.chunkBytesMax(), batch.decodedBytes());
        if (needed > scratch.byteSize()) {
            throw new IllegalArgumentException(
                    needed + " bytes of scratch needed, there are " + scratch.byteSize());
        }
    }

    /** A call of nvCOMP that queues a batch. */
    @FunctionalInterface
    interface BatchCall {
        int queue();
    }

    /** Makes the call when the batch may be queued, and queues the copy of its results after it. */
    final void queue(ChunkBatch batch, BatchCall call) throws IOException {
        if (turns == null) {
            queueNow(batch, call);
        } else {
            turns.take(() -> queueNow(batch, call));
        }
    }

    private void queueNow(ChunkBatch batch, BatchCall call) throws IOException {
        check(call.queue(), "Async", batch.count() + " chunks");
        batch.download(stream);
    }

    final void check(int code, String function, String subject) throws NvcompException {
        if (code == NvcompStatus.SUCCESS.code()) {
            return;
        }
        NvcompException failure = new NvcompException(call(function), subject, code);
        if (failure.status() == NvcompStatus.CUDA_ERROR) {
            noteDeviceError(failure);
        }
        throw failure;
    }

    /**
     * Records the device's error, if it is sticky. nvCOMP does not report CUDA's error number, but
     * the stream does.
     */
    private void noteDeviceError(NvcompException failure) {
        try {
            stream.synchronize();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    final String call(String function) {
        return "nvcompBatched" + format.cName() + direction + function;
    }

    static NvcompException notThere(NvcompFormat format) {
        int code = NvcompStatus.NOT_SUPPORTED.code();
        return new NvcompException("nvcompBatched" + format.cName(), "not there", code);
    }

    /**
     * Frees the codec. Its queued work must be done.
     *
     * @throws WrongThreadException if this is not the thread that opened it
     */
    @Override
    public final void close() {
        arena.close();
        if (turns != null) {
            turns.close();
        }
    }
}
