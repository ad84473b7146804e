package io.zarrengine.gpu.read;

import io.zarrengine.gpu.chunk.ChunkLayout;
import io.zarrengine.gpu.chunk.ResidentElements;
import io.zarrengine.gpu.file.DirectFiles;
import io.zarrengine.gpu.file.DirectSlots;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.device.DeviceCounters;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.sink.StoredStretch;
import io.zarrengine.zarr.sink.StretchChunks;
import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Reads files directly to device memory, for chunks that are stored as they are: a GPU places their
 * elements, and nothing must be checked before. Other stretches are left to the workers' queues.
 *
 * <p>Owner: a device's executor, which closes it when no worker reads any more; the slots belong to
 * the device's memory. Threads: any.
 */
public final class DirectReads implements AutoCloseable {
    /** Divisor of the slot size: smaller stretches arrive sooner from a queue with many of them. */
    private static final int SMALL_SHARE = 32;

    private final DirectFiles files;
    private final DirectSlots slots;
    private final long stretchBytesMax;
    private final DeviceCounters counters;

    /** {@code bytesMax} is the longest stretch that the host could read instead. */
    DirectReads(DirectFiles files, DirectSlots slots, long bytesMax, DeviceCounters counters) {
        this.files = files;
        this.slots = slots;
        this.stretchBytesMax = Math.min(slots.stretchBytesMax(), bytesMax);
        this.counters = counters;
    }

    /**
     * {@return the longest run of several chunks of a file, in bytes; 0 if the chunks are not
     * stored as they are, or the file is refused}
     */
    long stretchBytesMax(FileHandle file, ChunkPipeline pipeline) {
        DirectFiles.OpenFile opened = areRead(pipeline) ? files.use(file) : null;
        if (opened == null) {
            return 0;
        }
        opened.unuse();
        return stretchBytesMax;
    }

    /**
     * Reads a stretch and hands its chunks to the read. Returns false if it cannot or should not be
     * read directly.
     */
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
            if (stretch.bytes() > stretchBytesMax || !areAligned(stretch)) {
                return false;
            }
            readAll(read, stretch, file);
            return true;
        } catch (IOException e) {
            if (read.hasFailed()) { // perhaps with its device: the file is not at fault
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

    /**
     * Returns whether all chunks are aligned for swapping bytes. On the device they have the same
     * alignment as in the file.
     */
    private static boolean areAligned(StoredStretch stretch) {
        int swapBytes = stretch.pipeline().swapBytes();
        return IntStream.range(0, stretch.chunks().count())
                .allMatch(i -> (stretch.offset() + stretch.chunks().offset(i)) % swapBytes == 0);
    }

    private void readAll(DeviceRead read, StoredStretch stretch, DirectFiles.OpenFile file)
            throws IOException {
        ChunkLayout layout = read.layout(stretch);
        StretchChunks chunks = stretch.chunks();
        DirectSlots.Slot slot = filled(stretch, file);
        try {
            for (int i = 0; i < chunks.count(); i++) {
                int chunk = i;
                read.putResident(
                        new ResidentElements(slot, chunks.offset(i), chunks.bytes(i)),
                        layout,
                        chunks.parts(i),
                        () -> chunks.label(chunk));
            }
        } finally {
            slot.release(); // the chunks handed over retain it
        }
    }

    /** Returns a slot that contains the stretch. */
    private DirectSlots.Slot filled(StoredStretch stretch, DirectFiles.OpenFile file)
            throws IOException {
        DirectSlots.Slot slot = slots.take();
        try {
            slot.read(file.file(), stretch.file().byteSize(), stretch.offset(), stretch.bytes());
        } catch (Throwable t) { // Allowed: otherwise the slot would leak
            slot.release();
            throw t;
        }
        counters.readDirectly(stretch.bytes());
        return slot;
    }

    @Override
    public void close() {
        files.close();
    }
}
