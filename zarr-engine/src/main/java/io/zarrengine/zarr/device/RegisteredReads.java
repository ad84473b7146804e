package io.zarrengine.zarr.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.codec.ChunkPipeline;
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
    private static final int HEADER_BYTES = 32; // Most have fewer.

    private final RegisteredFiles files;

    RegisteredReads(RegisteredFiles files) {
        this.files = files;
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
            List<StoredStretch.Chunk> chunks = stretch.chunks().get();
            List<MemorySegment> frames = frames(stretch, chunks, file);
            List<Encoding> encodings = checked(lane, read, stretch, frames, file, workspace);
            for (int i = 0; i < encodings.size(); i++) {
                StoredStretch.Chunk chunk = chunks.get(i);
                long offset = stretch.offset() + chunk.offset();
                read.putOfFile(
                        stretch.pipeline(), encodings.get(i), frames.get(i), file, offset, chunk);
            }
            return !encodings.isEmpty();
        } finally {
            file.release();
        }
    }

    private static List<MemorySegment> frames(
            StoredStretch stretch, List<StoredStretch.Chunk> chunks, RegisteredFile file) {
        List<MemorySegment> frames = new ArrayList<>(chunks.size());
        for (StoredStretch.Chunk chunk : chunks) {
            frames.add(file.segment().asSlice(stretch.offset() + chunk.offset(), chunk.bytes()));
        }
        return frames;
    }

    /** What the device undoes of each chunk; empty if they must be read. */
    private List<Encoding> checked(
            Lane lane,
            DeviceRead read,
            StoredStretch stretch,
            List<MemorySegment> frames,
            RegisteredFile file,
            Workspace workspace) {
        List<Encoding> encodings = List.of();
        boolean isStill;
        try {
            encodings = encodings(read, stretch.pipeline(), frames, workspace);
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
            DeviceRead read,
            ChunkPipeline pipeline,
            List<MemorySegment> frames,
            Workspace workspace) {
        if (read.hasHeaders(pipeline)) {
            fetchHeaders(frames);
        }
        List<Encoding> encodings = new ArrayList<>(frames.size());
        try {
            for (MemorySegment frame : frames) {
                Encoding encoding = read.encodingInFile(pipeline, frame, workspace);
                if (encoding == null) {
                    return List.of();
                }
                encodings.add(encoding);
            }
            return encodings;
        } catch (RuntimeException e) { // Of headers that change meanwhile.
            return List.of(); // A read says what is wrong, if it still is.
        }
    }

    /** They lie in no cache, and memory brings several at a time if nobody waits for the first. */
    private static void fetchHeaders(List<MemorySegment> frames) {
        byte[] header = new byte[HEADER_BYTES];
        for (MemorySegment frame : frames) {
            int bytes = (int) Math.min(HEADER_BYTES, frame.byteSize());
            MemorySegment.copy(frame, JAVA_BYTE, 0, header, 0, bytes);
        }
    }
}
