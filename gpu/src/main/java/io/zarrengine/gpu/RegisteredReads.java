package io.zarrengine.gpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.uring.FileChanges;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.sink.StoredChunks;
import io.zarrengine.zarr.sink.StoredStretch;
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

    private final RegisteredFiles files;
    private final long bytesMax;

    /** {@code bytesMax}: of a chunk, as it is and decoded. */
    RegisteredReads(RegisteredFiles files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
    }

    /** {@return whether the device copies a part of a file, as of now} */
    boolean mayUse(FileHandle file, long offset, long bytes) {
        return files.mayUse(file, offset, bytes);
    }

    /** Passes chunks on to a read; false if they must be read. */
    boolean tryRead(DeviceRead read, StoredStretch stretch, Workspace workspace) {
        Encodings.Kind kind = read.encodings().kind(stretch.pipeline());
        if (!read.encodings().mayBeInFile(kind, workspace)) {
            return false;
        }
        Lane lane = read.lane();
        FileChanges changes = lane.changes();
        RegisteredFile file =
                files.tryUse(stretch.file(), stretch.offset(), stretch.bytes(), changes);
        if (file == null) {
            return false;
        }
        try {
            Encoding[] encodings =
                    checked(read.encodings(), kind, stretch, file, changes, workspace);
            if (encodings == null) {
                return false;
            }
            read.touched(encodings.length);
            for (int i = 0; i < encodings.length; i++) {
                read.putOfFile(lane, stretch, i, kind, encodings[i], file);
            }
            return true;
        } finally {
            file.release();
        }
    }

    private static MemorySegment[] frames(StoredStretch stretch, RegisteredFile file) {
        StoredChunks chunks = stretch.chunks();
        MemorySegment[] frames = new MemorySegment[chunks.count()];
        for (int i = 0; i < frames.length; i++) {
            frames[i] =
                    file.segment().asSlice(stretch.offset() + chunks.offset(i), chunks.bytes(i));
        }
        return frames;
    }

    /** What the device undoes of each chunk; null if they must be read. */
    private Encoding[] checked(
            Encodings known,
            Encodings.Kind kind,
            StoredStretch stretch,
            RegisteredFile file,
            FileChanges changes,
            Workspace workspace) {
        Encoding[] encodings = null;
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
    private static Encoding[] plain(Encodings.Kind kind, int count) {
        Encoding[] encodings = new Encoding[count];
        Arrays.fill(encodings, kind.encoding());
        return encodings;
    }

    /** Null if a worker has to decode one of the chunks. */
    private Encoding[] encodings(
            Encodings known, Encodings.Kind kind, MemorySegment[] frames, Workspace workspace) {
        if (kind.hasHeaders()) {
            fetchHeaders(frames);
        }
        Encoding[] encodings = new Encoding[frames.length];
        try {
            for (int i = 0; i < frames.length; i++) {
                Choice choice = known.of(kind, frames[i], bytesMax, workspace);
                if (!(choice instanceof Encoding encoding) || encoding.aligned().isPresent()) {
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
