package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.ChunkKernels;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.Piece;
import io.zarrengine.gpu.chunk.SlotAddresses;
import io.zarrengine.gpu.slot.BatchLoad;
import io.zarrengine.gpu.slot.SlotFill;
import io.zarrengine.gpu.tuning.DecodeCosts;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.BatchDecoder;
import io.zarrengine.nvcomp.DecodeBatch;
import io.zarrengine.nvcomp.NvcompException;
import io.zarrengine.nvcomp.NvcompFormat;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chunks of several slots that are decoded by one launch and placed by another.
 *
 * <p>Owner: the pump, which owns the memory too. Threads: the device's. Life cycle: filled slot by
 * slot, launched, found done, its failed chunks handled, cleared.
 */
final class DeviceBatch implements AutoCloseable {
    /** A slot's chunks, the addresses of their bytes, and the indexes of its first frames. */
    private record Placed(
            SlotFill fill, SlotAddresses places, Map<NvcompFormat, Integer> firstFrames) {}

    /**
     * Five times the bytes that decoders of damaged chunks were seen to write past the last target.
     */
    private static final long SLACK_BYTES = 64 << 10;

    private final DeviceSlice encoded;
    private final DeviceSlice decoded;
    private final DeviceSlice descriptors;
    private final DeviceSlice convertedDescriptors;
    private final DeviceSlice copyDescriptors;
    private final PieceBatch pieces;
    private final PieceBatch converted;
    private final PieceBatch copies; // of bytes that a blosc chunk stores uncompressed
    private final Map<NvcompFormat, DecodeBatch> decodes = new EnumMap<>(NvcompFormat.class);
    private final BatchLoad load;
    private final CudaEvent ready; // everything is on the device
    private final CudaEvent done;
    private final BatchTimes times;
    private final List<Placed> placed = new ArrayList<>();
    private int chunks;
    private int encodedChunks;
    private int units;
    private long encodedUsed;
    private long decodedUsed;
    private boolean isRefused;
    private boolean isSuspect; // a decoder may have written to other chunks' targets
    private long begunNanos;
    private long launchedNanos;

    /**
     * Creates an empty batch.
     *
     * @param memory device memory of {@link #deviceBytes}
     * @param pinned pinned memory of {@link #pinnedBytes}
     * @param times the batch's own
     */
    DeviceBatch(
            CudaDevice device,
            DeviceOptions options,
            Iterable<NvcompFormat> formats,
            DeviceSlice memory,
            MemorySegment pinned,
            BatchTimes times)
            throws CudaException {
        this.times = times;
        load = BatchLoad.ofBatch(options);
        long at = 0;
        encoded = memory.slice(at, chunkBytes(options));
        at += encoded.byteSize();
        descriptors = memory.slice(at, pieceBytes(options));
        at += descriptors.byteSize();
        convertedDescriptors = memory.slice(at, pieceBytes(options));
        at += convertedDescriptors.byteSize();
        copyDescriptors = memory.slice(at, pieceBytes(options));
        at += copyDescriptors.byteSize();
        long bytesOfEach = pieceBytes(options);
        pieces = new PieceBatch(pinned.asSlice(0, bytesOfEach));
        converted = new PieceBatch(pinned.asSlice(bytesOfEach, bytesOfEach));
        copies = new PieceBatch(pinned.asSlice(2 * bytesOfEach, bytesOfEach));
        long pinnedAt = 3 * bytesOfEach;
        for (NvcompFormat format : formats) {
            long bytes = decodeBytes(options);
            decodes.put(
                    format,
                    new DecodeBatch(
                            pinned.asSlice(pinnedAt, bytes),
                            memory.slice(at, bytes),
                            options.batchChunks()));
            at += bytes;
            pinnedAt += bytes;
        }
        decoded = memory.slice(at, chunkBytes(options));
        ready = CudaEvent.open(device);
        try {
            done = CudaEvent.open(device);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            ready.close();
            throw t;
        }
    }

    /** Returns the size of the memory for all encoded chunks; decoded chunks take the same. */
    private static long chunkBytes(DeviceOptions options) {
        return Alignment.up(Math.max(options.batchBytes(), options.slotBytes()));
    }

    private static long pieceBytes(DeviceOptions options) {
        return options.partsMax() * PieceBatch.DESCRIPTOR_BYTES;
    }

    private static long decodeBytes(DeviceOptions options) {
        return Alignment.up(DecodeBatch.bytes(options.batchChunks()));
    }

    static long pinnedBytes(DeviceOptions options, int formats) {
        return 3 * pieceBytes(options) + formats * decodeBytes(options);
    }

    static long deviceBytes(DeviceOptions options, int formats) {
        return 2 * chunkBytes(options) + pinnedBytes(options, formats) + SLACK_BYTES;
    }

    int chunks() {
        return chunks;
    }

    /** {@return the number of chunks as {@link SlotFill#units} counts them} */
    int units() {
        return units;
    }

    /** {@return the used share of the batch's scarcest resource} */
    double share() {
        return load.share();
    }

    /** {@return the number of chunks that nvCOMP decodes} */
    int encodedChunks() {
        return encodedChunks;
    }

    /**
     * Adds the chunks of a slot. Returns the addresses for its bytes, or null if there is no room.
     */
    SlotAddresses tryAdd(SlotFill fill) {
        long slotBytes = Alignment.up(fill.content().byteSize());
        long bytes = slotBytes + Alignment.up(fill.files().byteSize());
        if (!load.tryAdd(fill.load(), bytes)) {
            return null;
        }
        begunNanos = chunks == 0 ? System.nanoTime() : begunNanos;
        long address = encoded.slice(encodedUsed, bytes).address();
        DeviceSlice results = decoded.slice(decodedUsed, fill.load().decodedBytes());
        encodedUsed += bytes;
        decodedUsed += results.byteSize();
        SlotAddresses places = new SlotAddresses(address, address + slotBytes, results.address());
        Map<NvcompFormat, Integer> firstFrames = new EnumMap<>(NvcompFormat.class);
        for (var frames : fill.frames().entrySet()) {
            DecodeBatch decode = decodes.get(frames.getKey());
            firstFrames.put(frames.getKey(), decode.count());
            frames.getValue().addTo(decode, places);
        }
        copies.addAll(fill.copies(), places);
        pieces.addAll(fill.pieces(), places);
        converted.addAll(fill.converted(), places);
        placed.add(new Placed(fill, places, firstFrames)); // from now on it must end its chunks
        chunks += fill.entries().size();
        encodedChunks += fill.encodedChunks();
        units += fill.units();
        return places;
    }

    /**
     * Queues decoding and placing. The descriptors are uploaded in the copy stream, after the
     * chunks: in another stream the upload would wait for copies of the next batch.
     */
    void launch(
            CudaStream copying,
            CudaStream working,
            Map<NvcompFormat, BatchDecoder> decoders,
            DeviceSlice scratch,
            ChunkKernels kernels)
            throws IOException {
        launchedNanos = System.nanoTime();
        for (DecodeBatch decode : decodes.values()) {
            if (decode.count() > 0) {
                decode.upload(copying);
            }
        }
        upload(copying, copies, copyDescriptors);
        upload(copying, pieces, descriptors);
        upload(copying, converted, convertedDescriptors);
        ready.record(copying);
        working.waitFor(ready);
        times.decodeBegins(copying, working);
        try {
            for (var decode : decodes.entrySet()) {
                if (decode.getValue().count() > 0) {
                    decoders.get(decode.getKey()).decodeUploaded(decode.getValue(), scratch);
                }
            }
        } catch (NvcompException | IllegalArgumentException e) {
            isRefused = true; // the state of every target is unknown, so the CPU decodes all
        }
        times.decodeEnds(working);
        if (copies.count() > 0) {
            kernels.place(working, copies, copyDescriptors);
        }
        if (pieces.count() > 0) {
            kernels.place(working, pieces, descriptors);
        }
        if (converted.count() > 0) {
            kernels.convert(working, converted, convertedDescriptors);
        }
        times.placeEnds(working);
        done.record(working);
    }

    private static void upload(CudaStream copying, PieceBatch batch, DeviceSlice target)
            throws CudaException {
        if (batch.count() > 0) {
            copying.copyToDevice(batch.descriptors(), target);
        }
    }

    BatchTimes times() {
        return times;
    }

    /** {@return the time at which its first slot was added} */
    long begunNanos() {
        return begunNanos;
    }

    /** {@return the nanoseconds until more chunks arrive, at the rate of those in the batch} */
    double nanosFor(long moreChunks, long now) {
        return (double) moreChunks * (now - begunNanos) / chunks;
    }

    /**
     * Returns the only format that has chunks in this batch, or empty if there are several or none.
     */
    private Optional<Map.Entry<NvcompFormat, DecodeBatch>> onlyDecode() {
        var used = decodes.entrySet().stream().filter(decode -> decode.getValue().count() > 0);
        List<Map.Entry<NvcompFormat, DecodeBatch>> formats = used.toList();
        return formats.size() == 1 ? Optional.of(formats.getFirst()) : Optional.empty();
    }

    /**
     * {@return the estimated nanoseconds until the batch is done} The decode time counts as 0 if
     * the batch has chunks of several formats, or none to decode.
     *
     * @param beforeNanos the time at which the batch before it was found done
     */
    double nanosLeft(DecodeCosts costs, long beforeNanos, long now) {
        double nanos =
                onlyDecode()
                        .map(decode ->
                                costs.batchNanos(
                                        decode.getKey(),
                                        decode.getValue().chunkBytesMax(),
                                        decode.getValue().decodedBytes()))
                        .orElse(0.0);
        return nanos - (now - Math.max(launchedNanos, beforeNanos));
    }

    /**
     * {@return the nanoseconds that the device takes to decode its largest chunk alone, the maximum
     * of all formats}
     */
    double nanosLeast(DecodeCosts costs) {
        double most = 0;
        for (var decode : decodes.entrySet()) {
            if (decode.getValue().count() > 0) {
                long bytes = decode.getValue().chunkBytesMax();
                most = Math.max(most, costs.batchNanos(decode.getKey(), bytes, 0));
            }
        }
        return most;
    }

    boolean isDone() throws CudaException {
        return done.isDone();
    }

    /** Receives each chunk that the device failed to decode, and its bytes on the device. */
    interface FailedChunks {
        void take(DeviceChunk chunk, DeviceSlice bytes) throws IOException;
    }

    /** Checks every chunk's status once the batch is done. */
    void forEachFailed(FailedChunks failed) throws IOException {
        if (!hasFailed()) {
            return; // before touching the chunks, which lie in other cores' caches
        }
        isSuspect =
                decodes.entrySet().stream()
                        .anyMatch(decode ->
                                !decode.getKey().keepsToTarget()
                                        && decode.getValue().failedChunks().findAny().isPresent());
        for (Placed one : placed) {
            for (SlotFill.Entry entry : one.fill.entries()) {
                DeviceChunk chunk = entry.chunk();
                if (!isSound(one, entry) && !chunk.read().hasFailed()) {
                    failed.take(chunk, one.places.of(entry.bytes()));
                }
            }
        }
    }

    private boolean hasFailed() {
        return isRefused
                || decodes.values().stream()
                        .anyMatch(decode -> decode.failedChunks().findAny().isPresent());
    }

    private boolean isSound(Placed one, SlotFill.Entry entry) {
        if (entry.frames() == 0) {
            return true;
        }
        NvcompFormat format = entry.chunk().format();
        DecodeBatch decode = decodes.get(format);
        int first = one.firstFrames.get(format) + entry.frame();
        boolean isSound = !(isRefused || (isSuspect && !entry.chunk().isDirect()));
        for (int i = 0; i < entry.frames() && isSound; i++) {
            isSound = decode.isSound(first + i);
        }
        return isSound;
    }

    /**
     * Returns the pieces of one chunk, in this batch's memory. The batch must be done, and must be
     * cleared afterwards.
     */
    PieceBatch onlyPieces(DeviceChunk chunk, DeviceSlice elements) {
        pieces.clear();
        for (Piece piece : chunk.pieces()) {
            pieces.add(
                    new Source.Plain(elements, piece.sourceFirst()),
                    chunk.read().target(),
                    piece.targetFirst(),
                    piece.box(),
                    piece.element());
        }
        return pieces;
    }

    /** {@return memory that is free for other use once the batch is done} */
    DeviceSlice decoded() {
        return decoded;
    }

    DeviceSlice descriptors() {
        return descriptors;
    }

    /** Notifies the reads that their chunks have ended, and empties the batch. */
    void end() {
        placed.forEach(one -> one.fill.end());
        placed.clear();
        chunks = 0;
        encodedChunks = 0;
        units = 0;
        pieces.clear();
        converted.clear();
        copies.clear();
        decodes.values().forEach(DecodeBatch::clear);
        load.clear();
        times.clear();
        encodedUsed = 0;
        decodedUsed = 0;
        isRefused = false;
        isSuspect = false;
    }

    @Override
    public void close() {
        ready.close();
        done.close();
    }
}
