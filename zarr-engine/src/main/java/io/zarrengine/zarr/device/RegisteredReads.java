package io.zarrengine.zarr.device;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.execute.StoredStretch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

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
    private final RegisteredFiles files;

    RegisteredReads(RegisteredFiles files) {
        this.files = files;
    }

    /**
     * {@return whether the device may copy a part of a file; if not yet, it counts as asked for}
     */
    boolean reaches(Lane lane, FileHandle handle, long offset, long bytes) {
        RegisteredFile file = files.tryUse(handle, offset, bytes, lane.changes());
        if (file != null) {
            file.release();
        }
        return file != null;
    }

    /** Passes chunks on to a read; false if they must be read. */
    boolean tryRead(DeviceRead read, StoredStretch stretch, Workspace workspace) {
        Lane lane = read.lane();
        RegisteredFile file =
                files.tryUse(stretch.file(), stretch.offset(), stretch.bytes(), lane.changes());
        if (file == null) {
            return false;
        }
        try {
            List<Encoding> encodings = checked(lane, read, stretch, file, workspace);
            for (int i = 0; i < encodings.size(); i++) {
                put(read, stretch, stretch.chunks().get(i), encodings.get(i), file);
            }
            return !encodings.isEmpty();
        } finally {
            file.release();
        }
    }

    /** What the device undoes of each chunk; empty if they must be read. */
    private List<Encoding> checked(
            Lane lane,
            DeviceRead read,
            StoredStretch stretch,
            RegisteredFile file,
            Workspace workspace) {
        List<Encoding> encodings = List.of();
        boolean isStill = false;
        try {
            try {
                encodings = encodings(read, stretch, file, workspace);
            } catch (RuntimeException e) { // Of headers that change meanwhile. A read says what is
                encodings = List.of(); // wrong, if it still is.
            }
            isStill = file.isStill(stretch.file(), lane.changes()); // Whatever was found.
        } catch (InternalError e) { // There is nothing any more where it was looked at.
            isStill = false;
        }
        boolean isTold = isStill && !encodings.isEmpty();
        if (!isStill || !file.isOfUse(isTold)) {
            files.distrust(file);
        }
        return isTold ? encodings : List.of();
    }

    /** Empty if a worker has to decode one of the chunks. */
    private static List<Encoding> encodings(
            DeviceRead read, StoredStretch stretch, RegisteredFile file, Workspace workspace) {
        List<Encoding> encodings = new ArrayList<>(stretch.chunks().size());
        for (StoredStretch.Chunk chunk : stretch.chunks()) {
            MemorySegment bytes =
                    file.segment().asSlice(stretch.offset() + chunk.offset(), chunk.bytes());
            Encoding encoding = read.encodingInFile(chunk.pipeline(), bytes, workspace);
            if (encoding == null) {
                return List.of();
            }
            encodings.add(encoding);
        }
        return encodings;
    }

    private static void put(
            DeviceRead read,
            StoredStretch stretch,
            StoredStretch.Chunk chunk,
            Encoding encoding,
            RegisteredFile file) {
        long offset = stretch.offset() + chunk.offset();
        MemorySegment bytes = file.segment().asSlice(offset, chunk.bytes());
        read.putOfFile(chunk, encoding, bytes, file, offset);
    }
}
