package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.nvcomp.nvcompAlignmentRequirements_t;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Decodes batches of chunks of one format, in one stream.
 *
 * <p>A launch takes about as long for 16 chunks as for 1,024: batches are thousands of chunks. What
 * it decodes was checked on the host before ({@link FrameCheck}): for most formats nvCOMP's answer
 * to damaged input is undefined, up to the loss of the device.
 *
 * <p>Owner: who opened it, on the stream's device thread. Threads: the device's. All zstd decoders
 * of a device share one stream, since two zstd batches at a time may disturb each other
 * (SeanRooooney/nvcomp-zstd-reproducer, cudf PR 22468).
 */
public final class BatchDecoder implements AutoCloseable {
    /** Zero is each format's default; 64 bytes in every release (nvcomp/shared_types.h). */
    private static final long OPTIONS_BYTES = 64;

    private final NvcompFormat format;
    private final CudaStream stream;
    private final FormatCalls calls;
    private final boolean hasScratch6;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment options = arena.allocate(OPTIONS_BYTES, 8);
    private final long sourceAlignment;
    private final long targetAlignment;
    private final long scratchAlignment;

    private BatchDecoder(NvcompFormat format, CudaStream stream) throws NvcompException {
        this.format = format;
        this.stream = stream;
        this.calls = FormatCalls.of(format);
        this.hasScratch6 = NativeLibrary.NVCOMP.has(call("GetTempSize"));
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment alignments = nvcompAlignmentRequirements_t.allocate(scratch);
            check(calls.alignments().call(options, alignments), "GetRequiredAlignments", "");
            sourceAlignment = nvcompAlignmentRequirements_t.input(alignments);
            targetAlignment = nvcompAlignmentRequirements_t.output(alignments);
            scratchAlignment = nvcompAlignmentRequirements_t.temp(alignments);
        }
    }

    /**
     * Opens a decoder.
     *
     * @param format which {@link NvcompLibrary} must have
     * @param stream where it works, closed after it; called on its device's thread
     * @return a decoder owned by the caller
     * @throws NvcompException if this release lacks the format, or refuses
     * @throws IllegalStateException if another stream of this device decodes zstd already
     */
    public static BatchDecoder open(NvcompFormat format, CudaStream stream) throws NvcompException {
        if (!NvcompLibrary.canDecode(format)) {
            int code = NvcompStatus.NOT_SUPPORTED.code();
            throw new NvcompException("nvcompBatched" + format.cName(), "not there", code);
        }
        if (format == NvcompFormat.ZSTD) {
            ZstdStream.claim(stream);
        }
        try {
            return new BatchDecoder(format, stream);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            if (format == NvcompFormat.ZSTD) {
                ZstdStream.release(stream);
            }
            throw t;
        }
    }

    /** {@return what sources must begin at multiples of, in bytes; a power of two} */
    public long sourceAlignment() {
        return sourceAlignment;
    }

    /** {@return what targets must begin at multiples of, in bytes; a power of two} */
    public long targetAlignment() {
        return targetAlignment;
    }

    /**
     * {@return the scratch memory that a batch needs, in bytes} Less would be undefined behaviour.
     *
     * @param chunks how many, at most
     * @param chunkBytes size of the largest decoded chunk
     * @param totalBytes size of all decoded chunks together
     * @throws NvcompException if it is more than a batch may have
     */
    public long scratchBytes(long chunks, long chunkBytes, long totalBytes) throws NvcompException {
        checkChunkBytes(chunkBytes);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment bytes = scratch.allocate(JAVA_LONG);
            String subject = chunks + " chunks of at most " + chunkBytes + " bytes";
            if (hasScratch6) {
                check(
                        calls.scratch6()
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
                        calls.scratch5().call(chunks, chunkBytes, options, bytes, totalBytes),
                        "GetTempSizeAsync",
                        subject);
            }
            return bytes.get(JAVA_LONG, 0);
        }
    }

    /** The limits are not enforced by 5.1, and beyond them it decodes wrongly. */
    private void checkChunkBytes(long chunkBytes) throws NvcompException {
        if (chunkBytes > format.decodedBytesMax()) {
            int code = NvcompStatus.CHUNK_SIZE_TOO_LARGE.code();
            throw new NvcompException(call(""), "chunks of " + chunkBytes + " bytes", code);
        }
    }

    /**
     * Queues the decoding of a batch: its descriptors to the device, the launch, its results back.
     *
     * @param batch checked frames on the device, and their targets
     * @param scratch memory of {@link #scratchBytes}, which nothing else uses before this is done
     * @throws IOException if nvCOMP or CUDA refuses; nothing can be said of the targets then
     * @throws IllegalArgumentException if an address is not aligned or the scratch is too small
     */
    public void decode(DecodeBatch batch, DeviceSlice scratch) throws IOException {
        if (batch.count() == 0) {
            return;
        }
        long scratchBytes = checkArguments(batch, scratch);
        batch.upload(stream);
        int code =
                calls.decompress()
                        .call(
                                batch.sources(),
                                batch.sourceBytes(),
                                batch.capacities(),
                                batch.actualBytes(),
                                batch.count(),
                                scratch.pointer(),
                                scratchBytes,
                                batch.targets(),
                                options,
                                batch.statuses(),
                                stream.handle());
        check(code, "Async", batch.count() + " chunks");
        batch.download(stream);
    }

    private long checkArguments(DecodeBatch batch, DeviceSlice scratch) throws NvcompException {
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
        return scratch.byteSize();
    }

    private void check(int code, String function, String subject) throws NvcompException {
        if (code == NvcompStatus.SUCCESS.code()) {
            return;
        }
        NvcompException failure = new NvcompException(call(function), subject, code);
        if (failure.status() == NvcompStatus.CUDA_ERROR) {
            noteDeviceError(failure);
        }
        throw failure;
    }

    /** nvCOMP keeps CUDA's number to itself: the stream knows it, if it is one that lasts. */
    private void noteDeviceError(NvcompException failure) {
        try {
            stream.synchronize();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private String call(String function) {
        return "nvcompBatched" + format.cName() + "Decompress" + function;
    }

    /**
     * Frees the decoder. What it queued is done.
     *
     * @throws WrongThreadException if this is not the thread that opened it
     */
    @Override
    public void close() {
        arena.close();
        if (format == NvcompFormat.ZSTD) {
            ZstdStream.release(stream);
        }
    }
}
