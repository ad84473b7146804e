package io.zarrengine.zarr.device;

import io.zarrengine.cuda.ChunkKernels;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.cuda.Shuffle;
import io.zarrengine.nvcomp.BatchDecoder;
import io.zarrengine.nvcomp.DecodeBatch;
import io.zarrengine.nvcomp.NvcompException;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.DeviceCodecs;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Chunks of several slots that one launch decodes, and another one puts where they belong.
 *
 * <p>Owner: the pump, which owns the memory too. Threads: the device's. Filled slot by slot;
 * launched; seen to be done; its failed chunks looked at; cleared.
 */
final class DeviceBatch implements AutoCloseable {
    /** A chunk, where its bytes lie on the device, and its number among those of its format. */
    private record Placed(DeviceChunk chunk, DeviceSlice bytes, int stream, int streams) {}

    private final DeviceSlice encoded;
    private final DeviceSlice decoded;
    private final DeviceSlice descriptors;
    private final DeviceSlice copyDescriptors;
    private final PieceBatch pieces;
    private final PieceBatch copies; // of bytes that a blosc chunk stores
    private final Map<NvcompFormat, DecodeBatch> decodes = new EnumMap<>(NvcompFormat.class);
    private final BatchLoad load;
    private final CudaEvent done;
    private final List<Placed> placed = new ArrayList<>();
    private long encodedUsed;
    private long decodedUsed;
    private boolean isRefused;

    /**
     * Creates an empty batch.
     *
     * @param memory what {@link #deviceBytes} says, on the device
     * @param pinned what {@link #pinnedBytes} says
     */
    DeviceBatch(
            CudaDevice device,
            DeviceOptions options,
            Iterable<NvcompFormat> formats,
            DeviceSlice memory,
            MemorySegment pinned)
            throws CudaException {
        load = new BatchLoad(options);
        long at = 0;
        encoded = memory.slice(at, encodedBytes(options));
        at += encoded.byteSize();
        decoded = memory.slice(at, options.batchBytes());
        at += decoded.byteSize();
        descriptors = memory.slice(at, pieceBytes(options));
        at += descriptors.byteSize();
        copyDescriptors = memory.slice(at, pieceBytes(options));
        at += copyDescriptors.byteSize();
        long pinnedAt = descriptors.byteSize();
        pieces = new PieceBatch(pinned.asSlice(0, pinnedAt));
        copies = new PieceBatch(pinned.asSlice(pinnedAt, pinnedAt));
        pinnedAt += copyDescriptors.byteSize();
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
        done = CudaEvent.open(device);
    }

    private static long encodedBytes(DeviceOptions options) {
        return Math.max(options.batchBytes(), options.slotBytes());
    }

    private static long pieceBytes(DeviceOptions options) {
        return options.partsMax() * PieceBatch.DESCRIPTOR_BYTES;
    }

    private static long decodeBytes(DeviceOptions options) {
        return BatchLoad.aligned(DecodeBatch.bytes(options.batchChunks()));
    }

    static long pinnedBytes(DeviceOptions options, int formats) {
        return 2 * pieceBytes(options) + formats * decodeBytes(options);
    }

    static long deviceBytes(DeviceOptions options, int formats) {
        return encodedBytes(options) + options.batchBytes() + pinnedBytes(options, formats);
    }

    int chunks() {
        return placed.size();
    }

    /** {@return the chunks that nvCOMP decodes} */
    long decodes() {
        return decodes.values().stream().mapToLong(DecodeBatch::count).sum();
    }

    /** Takes the chunks of a slot, unless there is no room; returns where its bytes go. */
    DeviceSlice tryAdd(SlotFill fill) {
        long bytes = BatchLoad.aligned(fill.content().byteSize());
        if (!load.tryAdd(fill.load(), bytes)) {
            return null;
        }
        DeviceSlice slot = encoded.slice(encodedUsed, bytes);
        encodedUsed += bytes;
        for (DeviceChunk chunk : fill.chunks()) {
            if (chunk.read().hasFailed()) {
                chunk.read().partEnded();
            } else {
                add(chunk, slot);
            }
        }
        return slot;
    }

    private void add(DeviceChunk chunk, DeviceSlice slot) {
        DeviceSlice bytes = slot.slice(chunk.bytes().offset(), chunk.bytes().length());
        int stream = 0;
        int streams = 0;
        if (chunk.format() == null) {
            addPieces(chunk, bytes);
        } else {
            DeviceSlice decodesTo =
                    chunk.isDirect() ? directTarget(chunk) : nextDecoded(chunk.decodedBytes());
            DecodeBatch batch = decodes.get(chunk.format());
            stream = batch.count();
            addStreams(chunk, bytes, decodesTo, batch);
            streams = batch.count() - stream;
            if (!chunk.isDirect()) {
                addPieces(chunk, decodesTo);
            }
        }
        placed.add(new Placed(chunk, bytes, stream, streams));
    }

    private static DeviceSlice directTarget(DeviceChunk chunk) {
        Piece piece = chunk.pieces().getFirst();
        long offset = piece.targetFirst() * piece.element().bytes();
        return chunk.read().target().slice(offset, chunk.decodedBytes());
    }

    private void addStreams(
            DeviceChunk chunk, DeviceSlice bytes, DeviceSlice decodesTo, DecodeBatch batch) {
        if (chunk.blosc() == null) {
            batch.add(frame(chunk, bytes), decodesTo);
            return;
        }
        chunk.blosc()
                .forEach(
                        bytes,
                        decodesTo,
                        (from, to, isStored) -> {
                            if (isStored) {
                                addCopy(from, to);
                            } else {
                                batch.add(from, to);
                            }
                        });
    }

    private void addCopy(DeviceSlice from, DeviceSlice to) {
        Piece run = Piece.ofBytes(0, from.byteSize());
        copies.add(plain(from, run), to, 0, run.box(), run.element());
    }

    private DeviceSlice nextDecoded(long bytes) {
        DeviceSlice slice = decoded.slice(decodedUsed, bytes);
        decodedUsed += BatchLoad.aligned(bytes);
        return slice;
    }

    private static DeviceSlice frame(DeviceChunk chunk, DeviceSlice bytes) {
        DeviceCodecs.Compression compression = chunk.codecs().compression();
        long before = Frames.before(compression);
        long length = bytes.byteSize() - before - Frames.after(compression);
        return bytes.slice(before, length);
    }

    private static Source source(DeviceChunk chunk, Piece piece, DeviceSlice elements) {
        if (chunk.fill() != null) {
            return chunk.fill().source();
        }
        if (chunk.blosc() != null) {
            return chunk.blosc().source(elements, piece.sourceFirst());
        }
        if (chunk.codecs() == null || !chunk.codecs().isShuffled()) {
            return plain(elements, piece);
        }
        long count = elements.byteSize() / piece.element().bytes();
        return new Source.Shuffled(elements, piece.sourceFirst(), Shuffle.BYTES, count);
    }

    private static Source plain(DeviceSlice elements, Piece piece) {
        return new Source.Plain(elements, piece.sourceFirst());
    }

    private void addPieces(DeviceChunk chunk, DeviceSlice elements) {
        for (Piece piece : chunk.pieces()) {
            pieces.add(
                    source(chunk, piece, elements),
                    chunk.read().target(),
                    piece.targetFirst(),
                    piece.box(),
                    piece.element());
        }
    }

    /**
     * Queues the decoding and the placing.
     *
     * @param copied the last slot's copy; null if none had bytes
     */
    void launch(
            CudaStream stream,
            CudaEvent copied,
            Map<NvcompFormat, BatchDecoder> decoders,
            DeviceSlice scratch,
            ChunkKernels kernels)
            throws IOException {
        if (copied != null) {
            stream.waitFor(copied);
        }
        try {
            for (var decode : decodes.entrySet()) {
                decoders.get(decode.getKey()).decode(decode.getValue(), scratch);
            }
        } catch (NvcompException | IllegalArgumentException e) {
            isRefused = true; // Nothing can be said of any target: the CPU decodes all.
        }
        if (copies.count() > 0) {
            stream.copyToDevice(copies.descriptors(), copyDescriptors);
            kernels.place(stream, copies, copyDescriptors);
        }
        if (pieces.count() > 0) {
            stream.copyToDevice(pieces.descriptors(), descriptors);
            kernels.place(stream, pieces, descriptors);
        }
        done.record(stream);
    }

    boolean isDone() throws CudaException {
        return done.isDone();
    }

    /** Takes chunks that the device did not decode: the chunk, and its bytes on the device. */
    interface FailedChunks {
        void take(DeviceChunk chunk, DeviceSlice bytes) throws IOException;
    }

    /** Looks at every chunk's status once the batch is done. */
    void forEachFailed(FailedChunks failed) throws IOException {
        for (Placed one : placed) {
            if (!isSound(one) && !one.chunk.read().hasFailed()) {
                failed.take(one.chunk, one.bytes);
            }
        }
    }

    private boolean isSound(Placed one) {
        if (one.streams == 0) {
            return true;
        }
        DecodeBatch decode = decodes.get(one.chunk.format());
        boolean isSound = !isRefused;
        for (int i = 0; i < one.streams && isSound; i++) {
            isSound = decode.isSound(one.stream + i);
        }
        return isSound;
    }

    /** A batch of one chunk, in the same memory; the batch is done, and cleared afterwards. */
    PieceBatch onlyPieces(DeviceChunk chunk, DeviceSlice elements, int swapBytes) {
        pieces.clear();
        for (Piece piece : chunk.pieces()) {
            int bytes = piece.element().bytes();
            pieces.add(
                    plain(elements, piece),
                    chunk.read().target(),
                    piece.targetFirst(),
                    piece.box(),
                    new PieceBatch.Element(bytes, swapBytes == 1 ? 0 : swapBytes));
        }
        return pieces;
    }

    DeviceSlice descriptors() {
        return descriptors;
    }

    /** Tells the reads that their chunks have ended, and empties the batch. */
    void end() {
        placed.forEach(one -> one.chunk.read().partEnded());
        placed.clear();
        pieces.clear();
        copies.clear();
        decodes.values().forEach(DecodeBatch::clear);
        load.clear();
        encodedUsed = 0;
        decodedUsed = 0;
        isRefused = false;
    }

    @Override
    public void close() {
        done.close();
    }
}
