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
 * Reads to a device around the host's memory, of chunks that are stored as they are: a GPU puts
 * their elements in their places, and nothing has to be checked before it does. What cannot be read
 * so is left to the workers' queues.
 *
 * <p>Owner: a device's executor, which closes it when no worker reads any more; the slots belong to
 * the device's memory. Threads: any.
 */
public final class DirectReads implements AutoCloseable {
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
            if (stretch.bytes() > stretchBytesMax || !areAligned(stretch)) {
                return false;
            }
            readAll(read, stretch, file);
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
            slot.release(); // What was put retains it.
        }
    }

    /** A slot that holds a stretch. */
    private DirectSlots.Slot filled(StoredStretch stretch, DirectFiles.OpenFile file)
            throws IOException {
        DirectSlots.Slot slot = slots.take();
        try {
            slot.read(file.file(), stretch.file().byteSize(), stretch.offset(), stretch.bytes());
        } catch (Throwable t) { // Allowed: nobody else would give the slot back.
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
