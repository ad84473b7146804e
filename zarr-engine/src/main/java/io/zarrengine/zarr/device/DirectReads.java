package io.zarrengine.zarr.device;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.execute.StoredStretch;
import java.io.IOException;
import java.util.List;

/**
 * Reads to a device around the host's memory, of chunks that are stored as they are: a GPU puts
 * their elements in their places, and nothing has to be checked before it does. What cannot be read
 * so is left to the workers' queues.
 *
 * <p>Owner: a device's executor, which closes it when no worker reads any more; the slots belong to
 * the device's memories. Threads: any.
 */
final class DirectReads implements AutoCloseable {
    /** A part of a slot: smaller stretches come sooner from a queue that holds many of them. */
    private static final int SMALL_SHARE = 32;

    private final DirectFiles files;
    private final DirectSlots slots;
    private final long stretchBytesMax;
    private final DeviceCounters counters;

    /** {@code bytesMax}: what the host could read instead. */
    DirectReads(DirectFiles files, DirectSlots slots, long bytesMax, DeviceCounters counters) {
        this.files = files;
        this.slots = slots;
        this.stretchBytesMax = Math.min(slots.stretchBytesMax(), bytesMax);
        this.counters = counters;
    }

    /**
     * {@return the longest run of several chunks of a file; 0 if the chunks are not stored as they
     * are, or the file is refused}
     */
    long stretchBytesMax(FileHandle file, ChunkPipeline pipeline) {
        DirectFiles.OpenFile opened = areRead(pipeline) ? files.use(file) : null;
        if (opened == null) {
            return 0;
        }
        opened.unuse();
        return stretchBytesMax;
    }

    /** Reads chunks for a read, which gets them; false if they cannot, or should not, be read. */
    boolean tryRead(DeviceRead read, StoredStretch stretch) {
        boolean isSmall = stretch.bytes() < stretchBytesMax / SMALL_SHARE;
        if (isSmall || !areRead(stretch.pipeline())) {
            return false;
        }
        DirectFiles.OpenFile file = files.use(stretch.file());
        if (file == null) {
            return false;
        }
        try {
            List<StoredStretch.Chunk> chunks = stretch.chunks().get();
            boolean isLong = stretch.bytes() > stretchBytesMax;
            if ((isLong && chunks.size() > 1) || !areAligned(stretch, chunks)) {
                return false;
            }
            if (isLong) {
                readBlocks(read, stretch, chunks.getFirst(), file);
            } else {
                readAll(read, stretch, chunks, file);
            }
            return true;
        } catch (IOException e) {
            if (read.hasFailed()) { // With its device, perhaps: it says nothing of the file.
                return true;
            }
            file.refuse(e);
            return false;
        } finally {
            file.unuse();
        }
    }

    private boolean areRead(ChunkPipeline pipeline) {
        return pipeline.isPlain() && pipeline.elementBytes() <= stretchBytesMax;
    }

    /** The device swaps bytes of numbers that are aligned; chunks lie there as in their file. */
    private static boolean areAligned(StoredStretch stretch, List<StoredStretch.Chunk> chunks) {
        int swapBytes = stretch.pipeline().swapBytes();
        return chunks.stream()
                .allMatch(chunk -> (stretch.offset() + chunk.offset()) % swapBytes == 0);
    }

    private void readAll(
            DeviceRead read,
            StoredStretch stretch,
            List<StoredStretch.Chunk> chunks,
            DirectFiles.OpenFile file)
            throws IOException {
        ChunkPipeline pipeline = stretch.pipeline();
        DirectSlots.Slot slot = filled(stretch, file, 0, stretch.bytes());
        try {
            for (StoredStretch.Chunk chunk : chunks) {
                Resident resident = new Resident(slot, chunk.offset(), chunk.bytes());
                read.putResident(
                        pipeline, resident, pipeline.encodedShape(), chunk.parts(), chunk.label());
            }
        } finally {
            slot.release(); // What was put retains it.
        }
    }

    /**
     * Of one chunk that is larger than a slot, the blocks of which something is wanted. If one
     * cannot be read, the host reads all of the chunk: some elements are placed twice then.
     */
    private void readBlocks(
            DeviceRead read,
            StoredStretch stretch,
            StoredStretch.Chunk chunk,
            DirectFiles.OpenFile file)
            throws IOException {
        ChunkPipeline pipeline = stretch.pipeline();
        var blocks =
                new ChunkBlocks(pipeline.encodedShape(), pipeline.elementBytes(), stretchBytesMax);
        for (ChunkBlocks.Block block : blocks.holding(chunk.parts())) {
            if (read.hasFailed()) {
                return;
            }
            DirectSlots.Slot slot = filled(stretch, file, block.offset(), block.bytes());
            try {
                Resident resident = new Resident(slot, 0, block.bytes());
                read.putResident(pipeline, resident, block.shape(), block.parts(), chunk.label());
            } finally {
                slot.release();
            }
        }
    }

    /** A slot that holds a part of a stretch. */
    private DirectSlots.Slot filled(
            StoredStretch stretch, DirectFiles.OpenFile file, long from, long bytes)
            throws IOException {
        DirectSlots.Slot slot = slots.take();
        try {
            slot.read(file.file(), stretch.file().byteSize(), stretch.offset() + from, bytes);
        } catch (Throwable t) { // Allowed: nobody else would give the slot back.
            slot.release();
            throw t;
        }
        counters.readDirectly(bytes);
        return slot;
    }

    @Override
    public void close() {
        files.close();
    }
}
