package io.zarrengine.gpu.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.gpu.chunk.DecodeDecision;
import io.zarrengine.gpu.chunk.DeviceEncoding;
import io.zarrengine.gpu.file.FileRegistry;
import io.zarrengine.gpu.file.PinnedFile;
import io.zarrengine.gpu.slot.WorkerSlot;
import io.zarrengine.uring.FileChanges;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.sink.StoredStretch;
import io.zarrengine.zarr.sink.StretchChunks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Has a device copy chunks from the page cache. A worker reads only their headers. Chunks that a
 * worker must read completely, or decode itself, are left to the queues.
 *
 * <p>Another process may write to the file between the check and the copy. Readers of a file that
 * is written to meanwhile cannot expect valid data anyway, and a device that is lost to invalid
 * bytes leaves its reads to the host. But unlike the check of a slot's bytes, this check proves
 * nothing then.
 *
 * <p>Owner: a device's executor. Threads: any.
 */
final class RegisteredReads {
    private static final int HEADER_BYTES = 32; // most headers are shorter

    private final FileRegistry files;
    private final long bytesMax;

    /** {@code bytesMax} is the limit for a chunk's encoded size and for its decoded size. */
    RegisteredReads(FileRegistry files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /** {@return whether the device copies a part of a file by itself at the moment} */
    boolean mayUse(FileHandle file, long offset, long bytes) {
        return files.mayUse(file, offset, bytes);
    }

    /** Hands chunks over to a read. Returns false if they must be read. */
    boolean tryRead(DeviceRead read, StoredStretch stretch, Workspace workspace) {
        DecodeRouter.Kind kind = read.router().kind(stretch.pipeline());
        if (!read.router().mayBeInFile(kind, workspace)) {
            return false;
        }
        WorkerSlot slot = read.slot();
        FileChanges changes = slot.changes();
        PinnedFile file = files.tryUse(stretch.file(), stretch.offset(), stretch.bytes(), changes);
        if (file == null) {
            return false;
        }
        try {
            DeviceEncoding[] encodings =
                    checked(read.router(), kind, stretch, file, changes, workspace);
            if (encodings == null) {
                return false;
            }
            read.begun(encodings.length);
            for (int i = 0; i < encodings.length; i++) {
                read.putOfFile(slot, stretch, i, kind, encodings[i], file);
            }
            return true;
        } finally {
            file.release();
        }
    }

    private static MemorySegment[] frames(StoredStretch stretch, PinnedFile file) {
        StretchChunks chunks = stretch.chunks();
        MemorySegment[] frames = new MemorySegment[chunks.count()];
        for (int i = 0; i < frames.length; i++) {
            frames[i] =
                    file.segment().asSlice(stretch.offset() + chunks.offset(i), chunks.bytes(i));
        }
        return frames;
    }

    /**
     * Returns the encoding of each chunk that the device must undo; null if the chunks must be
     * read.
     */
    private DeviceEncoding[] checked(
            DecodeRouter router,
            DecodeRouter.Kind kind,
            StoredStretch stretch,
            PinnedFile file,
            FileChanges changes,
            Workspace workspace) {
        DeviceEncoding[] encodings = null;
        boolean isStill;
        try {
            encodings =
                    kind.isEncoded()
                            ? encodings(router, kind, frames(stretch, file), workspace)
                            : plain(kind, stretch.chunks().count());
            isStill = file.isStill(stretch.file(), changes); // checked after any result
        } catch (InternalError e) { // the file no longer has these bytes
            isStill = false;
        }
        boolean isUsed = isStill && encodings != null;
        if (!isStill || !file.isOfUse(isUsed)) {
            files.distrust(file);
        }
        return isUsed ? encodings : null;
    }

    /**
     * Returns the encodings of chunks or blocks that are not checked. They fit a slot, like all raw
     * chunks.
     */
    private static DeviceEncoding[] plain(DecodeRouter.Kind kind, int count) {
        DeviceEncoding[] encodings = new DeviceEncoding[count];
        Arrays.fill(encodings, kind.encoding());
        return encodings;
    }

    /** Returns null if a worker must decode one of the chunks. */
    private DeviceEncoding[] encodings(
            DecodeRouter router,
            DecodeRouter.Kind kind,
            MemorySegment[] frames,
            Workspace workspace) {
        if (kind.hasHeaders()) {
            fetchHeaders(frames);
        }
        DeviceEncoding[] encodings = new DeviceEncoding[frames.length];
        try {
            for (int i = 0; i < frames.length; i++) {
                DecodeDecision choice = router.decide(kind, frames[i], bytesMax, workspace);
                if (!(choice instanceof DeviceEncoding encoding)
                        || encoding.aligned().isPresent()) {
                    return null;
                }
                encodings[i] = encoding;
            }
            return encodings;
        } catch (RuntimeException e) { // of headers that change meanwhile
            return null; // a read reports the error, if it persists
        }
    }

    /**
     * Reads all headers first. They are in no cache, and memory delivers several at a time if no
     * instruction waits for the first.
     */
    private static void fetchHeaders(MemorySegment[] frames) {
        byte[] header = new byte[HEADER_BYTES];
        for (MemorySegment frame : frames) {
            int bytes = (int) Math.min(HEADER_BYTES, frame.byteSize());
            MemorySegment.copy(frame, JAVA_BYTE, 0, header, 0, bytes);
        }
    }
}
