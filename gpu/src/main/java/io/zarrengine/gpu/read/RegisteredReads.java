package io.zarrengine.gpu.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.gpu.chunk.DecodeChoice;
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
 * Has a device copy chunks from the page cache, where a worker has looked at their headers only.
 * What a worker must touch all of, or decodes itself, is left to the queues.
 *
 * <p>Between that look and the copy somebody may write to the file. A file that is written to while
 * it is read is not what its readers expect anyway, and a device that is lost to such bytes leaves
 * its reads to the host; but the check is no proof then, as it is of a slot's bytes.
 *
 * <p>Owner: a device's executor. Threads: any.
 */
final class RegisteredReads {
    private static final int HEADER_BYTES = 32; // Most have fewer.

    private final FileRegistry files;
    private final long bytesMax;

    /** {@code bytesMax}: of a chunk, as it is and decoded. */
    RegisteredReads(FileRegistry files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /** {@return whether the device copies a part of a file, as of now} */
    boolean mayUse(FileHandle file, long offset, long bytes) {
        return files.mayUse(file, offset, bytes);
    }

    /** Passes chunks on to a read; false if they must be read. */
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

    /** What the device undoes of each chunk; null if they must be read. */
    private DeviceEncoding[] checked(
            DecodeRouter known,
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
                            ? encodings(known, kind, frames(stretch, file), workspace)
                            : plain(kind, stretch.chunks().count());
            isStill = file.isStill(stretch.file(), changes); // Whatever was found.
        } catch (InternalError e) { // There is nothing any more where it was looked at.
            isStill = false;
        }
        boolean isTold = isStill && encodings != null;
        if (!isStill || !file.isOfUse(isTold)) {
            files.distrust(file);
        }
        return isTold ? encodings : null;
    }

    /** Chunks, or blocks, of which nothing is looked at. They fit a slot, as all that is raw. */
    private static DeviceEncoding[] plain(DecodeRouter.Kind kind, int count) {
        DeviceEncoding[] encodings = new DeviceEncoding[count];
        Arrays.fill(encodings, kind.encoding());
        return encodings;
    }

    /** Null if a worker has to decode one of the chunks. */
    private DeviceEncoding[] encodings(
            DecodeRouter known,
            DecodeRouter.Kind kind,
            MemorySegment[] frames,
            Workspace workspace) {
        if (kind.hasHeaders()) {
            fetchHeaders(frames);
        }
        DeviceEncoding[] encodings = new DeviceEncoding[frames.length];
        try {
            for (int i = 0; i < frames.length; i++) {
                DecodeChoice choice = known.of(kind, frames[i], bytesMax, workspace);
                if (!(choice instanceof DeviceEncoding encoding)
                        || encoding.aligned().isPresent()) {
                    return null;
                }
                encodings[i] = encoding;
            }
            return encodings;
        } catch (RuntimeException e) { // Of headers that change meanwhile.
            return null; // A read says what is wrong, if it still is.
        }
    }

    /** They lie in no cache, and memory brings several at a time if nobody waits for the first. */
    private static void fetchHeaders(MemorySegment[] frames) {
        byte[] header = new byte[HEADER_BYTES];
        for (MemorySegment frame : frames) {
            int bytes = (int) Math.min(HEADER_BYTES, frame.byteSize());
            MemorySegment.copy(frame, JAVA_BYTE, 0, header, 0, bytes);
        }
    }
}
