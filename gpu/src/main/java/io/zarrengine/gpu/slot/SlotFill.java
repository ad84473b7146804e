package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.cuda.Shuffle;
import io.zarrengine.gpu.chunk.Alignment;
import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.FrameBounds;
import io.zarrengine.gpu.chunk.OwningRead;
import io.zarrengine.gpu.chunk.Piece;
import io.zarrengine.gpu.chunk.ResidentElements;
import io.zarrengine.gpu.chunk.SlotAddresses;
import io.zarrengine.gpu.tuning.BatchSizes;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.pipeline.DeviceCodecs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A pinned slot with its chunks, the chunks that the device copies from files or landing memory
 * itself, and the descriptors of both. Many workers describe chunks, so that the one device thread
 * only has to copy what they wrote.
 *
 * <p>Owner: a worker, then the device's thread.
 */
public final class SlotFill {
    /**
     * Memory for the descriptors of one slot.
     *
     * @param pieces pieces that are placed as they are
     * @param converted pieces that are converted to other numbers
     * @param copies stored bytes of blosc chunks
     */
    public record Descriptors(PieceBatch pieces, PieceBatch converted, PieceBatch copies) {}

    /**
     * A chunk in this slot.
     *
     * @param chunk the chunk's description
     * @param bytes the place of its bytes, as {@link SlotAddresses} encodes it
     * @param frame the index of its first frame among those of its format in this slot
     * @param frames the number of its frames
     */
    public record Entry(DeviceChunk chunk, DeviceSlice bytes, int frame, int frames) {}

    /** Consecutive chunks of one read. Most slots have chunks of one read only. */
    private static final class Share {
        private final OwningRead read;
        private int chunks;

        Share(OwningRead read) {
            this.read = read;
        }
    }

    /**
     * Bytes that a worker fills in the slots of all devices, so that they fit its core's cache
     * (docs/decisions/pinned-slots.md).
     */
    private static final long WORKER_BYTES = 2 << 20;

    /** With less, the pauses between copies cost more than the cache saves. */
    private static final long FULL_BYTES_MIN = 1 << 20;

    /** All workers update one counter, so a slot does not report every chunk. */
    private static final long REPORT_BYTES_MIN = 1 << 20;

    private final PinnedSlots.Slot slot;
    private final BatchLoad load;
    private final Descriptors descriptors;
    private final Map<NvcompFormat, FrameList> frames = new EnumMap<>(NvcompFormat.class);
    private final List<Entry> entries = new ArrayList<>();
    private final List<Share> shares = new ArrayList<>(); // of the entries
    private final List<ResidentElements> residents =
            new ArrayList<>(); // of chunks that are already on the device
    private final long fullBytes;
    private final FileCopies files = new FileCopies();
    private final ChunksAhead ahead;
    private int encodedChunks;
    private int units;
    private final long begunNanos = System.nanoTime();
    private long used; // bytes of the slot
    private long residentBytes;
    private long reportedBytes; // decoded bytes that were reported
    private long unreportedBytes;

    /**
     * Begins without chunks.
     *
     * @param devices the number of devices to whose slots a worker may write in turn
     * @param ahead counts the bytes that the device must decode
     */
    SlotFill(
            PinnedSlots.Slot slot,
            BatchLoad load,
            Descriptors descriptors,
            int devices,
            ChunksAhead ahead) {
        this.slot = slot;
        this.load = load;
        this.descriptors = descriptors;
        this.ahead = ahead;
        fullBytes = Math.max(FULL_BYTES_MIN, WORKER_BYTES / devices);
        descriptors.pieces.clear();
        descriptors.converted.clear();
        descriptors.copies.clear();
    }

    public PinnedSlots.Slot slot() {
        return slot;
    }

    public BatchLoad load() {
        return load;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** {@return the number of chunks that nvCOMP decodes} */
    public int encodedChunks() {
        return encodedChunks;
    }

    /**
     * {@return the number of chunks as {@link BatchSizes} counts them} A blosc chunk counts once
     * for each stream that nvCOMP decodes in parallel, but never more than other chunks of its size
     * would count.
     */
    public int units() {
        return units;
    }

    /** {@return the time at which the slot was begun} */
    long begunNanos() {
        return begunNanos;
    }

    public PieceBatch pieces() {
        return descriptors.pieces;
    }

    public PieceBatch converted() {
        return descriptors.converted;
    }

    public PieceBatch copies() {
        return descriptors.copies;
    }

    public Map<NvcompFormat, FrameList> frames() {
        return frames;
    }

    /**
     * {@return whether the slot has enough bytes to be copied; bytes of files may fill a whole
     * slot}
     */
    boolean isFull() {
        return used + residentBytes >= fullBytes || files.byteSize() >= slot.segment().byteSize();
    }

    /** {@return the bytes that were written to the slot} */
    public MemorySegment content() {
        return slot.segment().asSlice(0, used);
    }

    /** {@return the copies that the device makes from files and landing memory} */
    public FileCopies files() {
        return files;
    }

    /** {@return the approximate number of bytes that are copied to the device} */
    long bytesToCopy() {
        return used + files.byteSize();
    }

    /**
     * Gives back the slot and the copy sources. Called when nothing is copied from them any more.
     */
    public void copied() {
        slot.close();
        files.release();
    }

    /** Notifies the reads that a batch has these chunks. */
    public void batched() {
        shares.forEach(share -> share.read.batched(share.chunks));
    }

    /** Notifies the reads that the device has finished with these chunks. */
    public void end() {
        ahead.add(-reportedBytes);
        residents.forEach(resident -> resident.memory().release());
        shares.forEach(share -> share.read.shareEnded());
    }

    /**
     * Adds a chunk. Returns false if there is no room.
     *
     * @param bytes the chunk's bytes
     * @param chunk the chunk's description
     */
    boolean tryAdd(ChunkBytes bytes, DeviceChunk chunk) {
        boolean isOfFile = bytes.source() != null;
        long at = isOfFile ? files.place(bytes) : bytes.firstFrom(used);
        long others = Alignment.up(isOfFile ? used : files.byteSize());
        boolean isAlone = isOfFile && entries.isEmpty(); // A batch has room: see DecodeRouter.
        if (at + bytes.byteSize() + others > slot.segment().byteSize() && !isAlone) {
            return false;
        }
        long decodesTo = load.decodedBytes();
        if (!load.tryAdd(chunk)) {
            return false;
        }
        if (isOfFile) {
            files.add(bytes, at);
        } else {
            MemorySegment.copy(bytes.bytes(), 0, slot.segment(), at, bytes.byteSize());
            used = at + bytes.byteSize();
        }
        DeviceSlice place =
                isOfFile
                        ? SlotAddresses.inFiles(at, bytes.byteSize())
                        : SlotAddresses.inSlot(at, bytes.byteSize());
        try {
            describe(chunk, place, decodesTo);
        } catch (RuntimeException e) { // a bug; the read owns what was described
            chunk.read().fail(e);
            addEntry(chunk, place, 0, 0);
        }
        ResidentElements resident = chunk.resident();
        if (resident != null) { // after the entry was added, which ends it
            resident.memory().retain();
            residents.add(resident);
            residentBytes += resident.bytes();
        }
        return true;
    }

    /** {@code decodesTo} is the offset of the decoded chunk, unless it is decoded to its target. */
    private void describe(DeviceChunk chunk, DeviceSlice bytes, long decodesTo) {
        if (chunk.format() == null) {
            addPieces(chunk, chunk.resident() == null ? bytes : chunk.resident().elements());
            addEntry(chunk, bytes, 0, 0);
            return;
        }
        FrameList list = frames.computeIfAbsent(chunk.format(), _ -> new FrameList());
        int first = list.count();
        if (chunk.isDirect()) {
            addFrames(chunk, bytes, directTarget(chunk), list);
        } else {
            DeviceSlice decoded = SlotAddresses.inDecoded(decodesTo, chunk.decodedBytes());
            addPieces(chunk, decoded); // first, because it may throw
            addFrames(chunk, bytes, decoded, list);
        }
        addEntry(chunk, bytes, first, list.count() - first);
        encodedChunks += list.count() > first ? 1 : 0; // 0 if all streams are stored
        reportAhead(chunk.decodedBytes());
    }

    private void reportAhead(long decodedBytes) {
        unreportedBytes += decodedBytes;
        if (unreportedBytes >= REPORT_BYTES_MIN) {
            ahead.add(unreportedBytes);
            reportedBytes += unreportedBytes;
            unreportedBytes = 0;
        }
    }

    private void addEntry(DeviceChunk chunk, DeviceSlice bytes, int frame, int frames) {
        entries.add(new Entry(chunk, bytes, frame, frames));
        long likeOthers = chunk.decodedBytes() / DeviceOptions.LOAD_CHUNK_BYTES;
        units += (int) Math.max(1, Math.min(frames, likeOthers));
        if (shares.isEmpty() || !shares.getLast().read.equals(chunk.read())) {
            chunk.read().shareBegins();
            shares.add(new Share(chunk.read()));
        }
        shares.getLast().chunks++;
    }

    private static DeviceSlice directTarget(DeviceChunk chunk) {
        Piece piece = chunk.pieces().getFirst();
        long offset = piece.targetFirst() * piece.element().bytes();
        return chunk.read().target().slice(offset, chunk.decodedBytes());
    }

    private void addFrames(
            DeviceChunk chunk, DeviceSlice bytes, DeviceSlice decodesTo, FrameList list) {
        if (chunk.blosc() == null) {
            list.add(frame(chunk, bytes), decodesTo);
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
                                list.add(from, to);
                            }
                        });
    }

    private void addCopy(DeviceSlice from, DeviceSlice to) {
        Piece run = Piece.ofBytes(0, from.byteSize());
        descriptors.copies.add(plain(from, run), to, 0, run.box(), run.element());
    }

    private static DeviceSlice frame(DeviceChunk chunk, DeviceSlice bytes) {
        DeviceCodecs.Compression compression = chunk.encoding().codecs().compression();
        long before = FrameBounds.before(compression);
        long length = bytes.byteSize() - before - FrameBounds.after(compression);
        return bytes.slice(before, length);
    }

    private static Source source(
            DeviceChunk chunk, Piece piece, DeviceSlice elements, int elementBytes) {
        if (chunk.fill() != null) {
            return chunk.fill().source();
        }
        if (chunk.blosc() != null) {
            return chunk.blosc().source(elements, piece.sourceFirst());
        }
        if (!chunk.encoding().isShuffled()) {
            return plain(elements, piece);
        }
        long count = elements.byteSize() / elementBytes;
        return new Source.Shuffled(elements, piece.sourceFirst(), Shuffle.BYTES, count);
    }

    private static Source plain(DeviceSlice elements, Piece piece) {
        return new Source.Plain(elements, piece.sourceFirst());
    }

    private void addPieces(DeviceChunk chunk, DeviceSlice elements) {
        Conversion conversion = chunk.encoding().conversion();
        List<Piece> pieces = chunk.pieces();
        for (int i = 0; i < pieces.size(); i++) { // Mostly one; an iterator would be garbage.
            Piece piece = pieces.get(i);
            if (conversion != null) {
                descriptors.converted.addConverted(
                        source(chunk, piece, elements, conversion.stored().bytes()),
                        chunk.read().target(),
                        piece.targetFirst(),
                        piece.box(),
                        conversion);
                continue;
            }
            descriptors.pieces.add(
                    source(chunk, piece, elements, piece.element().bytes()),
                    chunk.read().target(),
                    piece.targetFirst(),
                    piece.box(),
                    piece.element());
        }
    }
}
