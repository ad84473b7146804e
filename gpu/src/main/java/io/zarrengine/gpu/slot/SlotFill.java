package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.cuda.PieceBatch.Source;
import io.zarrengine.cuda.PinnedRing;
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
 * A pinned slot, the chunks in it, those that the device copies from files itself, or from where
 * they were read to, and all that the device is to be told of them: many workers describe chunks,
 * so that the device's one thread only has to copy what they wrote.
 *
 * <p>Owner: a worker, then the device's thread.
 */
public final class SlotFill {
    /**
     * Memory for descriptors; each slot has its own.
     *
     * @param pieces what is placed
     * @param converted what is placed as other numbers
     * @param copies stored bytes of blosc chunks
     */
    public record Descriptors(PieceBatch pieces, PieceBatch converted, PieceBatch copies) {}

    /**
     * A chunk.
     *
     * @param chunk what it is
     * @param bytes its place, as {@link SlotAddresses} says
     * @param frame the number of its first frame among those of its format in this slot
     * @param frames how many it has
     */
    public record Entry(DeviceChunk chunk, DeviceSlice bytes, int frame, int frames) {}

    /** Chunks of one read that follow one another: mostly all of them. */
    private static final class Share {
        private final OwningRead read;
        private int chunks;

        Share(OwningRead read) {
            this.read = read;
        }
    }

    /**
     * What a worker fills of all devices' slots, for its core's cache
     * (docs/decisions/pinned-slots.md).
     */
    private static final long WORKER_BYTES = 2 << 20;

    /** With less, pauses between copies cost more than the cache saves. */
    private static final long FULL_BYTES_MIN = 1 << 20;

    /** All workers count at one place, so not every chunk. */
    private static final long TOLD_BYTES_MIN = 1 << 20;

    private final PinnedRing.Slot slot;
    private final BatchLoad load;
    private final Descriptors descriptors;
    private final Map<NvcompFormat, FrameList> frames = new EnumMap<>(NvcompFormat.class);
    private final List<Entry> entries = new ArrayList<>();
    private final List<Share> shares = new ArrayList<>(); // of the entries
    private final List<ResidentElements> residents =
            new ArrayList<>(); // of chunks that are on the device
    private final long fullBytes;
    private final FileCopies files = new FileCopies();
    private final ChunksAhead ahead;
    private int encodedChunks;
    private int units;
    private final long begunNanos = System.nanoTime();
    private long used; // bytes of the slot
    private long residentBytes;
    private long toldBytes; // that the device is to make
    private long untoldBytes;

    /**
     * Begins without chunks.
     *
     * @param devices to slots of so many a worker may write in turns
     * @param ahead is told how much of it the device is to decode
     */
    SlotFill(
            PinnedRing.Slot slot,
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

    public PinnedRing.Slot slot() {
        return slot;
    }

    public BatchLoad load() {
        return load;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** {@return how many of the chunks nvCOMP decodes} */
    public int encodedChunks() {
        return encodedChunks;
    }

    /**
     * {@return how many chunks these are as {@link BatchSizes} counts them} A chunk of blosc whose
     * streams nvCOMP decodes at the same time is several; but if they are small, no more than
     * others of its size would be.
     */
    public int units() {
        return units;
    }

    /** {@return when it began} */
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

    /** {@return whether enough is in it to be copied; of files, all that finds room} */
    boolean isFull() {
        return used + residentBytes >= fullBytes || files.byteSize() >= slot.segment().byteSize();
    }

    /** {@return what was written to the slot} */
    public MemorySegment content() {
        return slot.segment().asSlice(0, used);
    }

    /** {@return what the device copies besides} */
    public FileCopies files() {
        return files;
    }

    /** {@return all bytes that are copied to the device, about} */
    long bytesToCopy() {
        return used + files.byteSize();
    }

    /** Nothing is copied from here any more. */
    public void copied() {
        slot.close();
        files.release();
    }

    /** Tells the reads that a batch has these chunks. */
    public void batched() {
        shares.forEach(share -> share.read.batched(share.chunks));
    }

    /** Tells the reads that the device does nothing more for these chunks. */
    public void end() {
        ahead.add(-toldBytes);
        residents.forEach(resident -> resident.memory().release());
        shares.forEach(share -> share.read.shareEnded());
    }

    /**
     * Adds a chunk, unless there is no room.
     *
     * @param bytes its bytes
     * @param chunk what it is
     */
    boolean tryAdd(ChunkBytes bytes, DeviceChunk chunk) {
        boolean isOfFile = bytes.source() != null;
        long at = isOfFile ? files.place(bytes) : bytes.firstFrom(used);
        long others = Alignment.up(isOfFile ? used : files.byteSize());
        boolean isAlone = isOfFile && entries.isEmpty(); // A batch has room: DecodeRouter.
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
        } catch (RuntimeException e) { // A bug. What was described of it is still the read's.
            chunk.read().fail(e);
            addEntry(chunk, place, 0, 0);
        }
        ResidentElements resident = chunk.resident();
        if (resident != null) { // Now that the chunk is here, and will end.
            resident.memory().retain();
            residents.add(resident);
            residentBytes += resident.bytes();
        }
        return true;
    }

    /** {@code decodesTo}: where, unless it is decoded to its target. */
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
            addPieces(chunk, decoded); // First, since it may refuse.
            addFrames(chunk, bytes, decoded, list);
        }
        addEntry(chunk, bytes, first, list.count() - first);
        encodedChunks += list.count() > first ? 1 : 0; // Unless all of it is stored.
        tellAhead(chunk.decodedBytes());
    }

    private void tellAhead(long decodedBytes) {
        untoldBytes += decodedBytes;
        if (untoldBytes >= TOLD_BYTES_MIN) {
            ahead.add(untoldBytes);
            toldBytes += untoldBytes;
            untoldBytes = 0;
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
        for (int i = 0; i < pieces.size(); i++) { // Mostly one: an iterator would be garbage.
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
