package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativePath;
import io.zarrengine.bindings.cudart.Cudart;
import io.zarrengine.bindings.cufile.CUfileDescr_t;
import io.zarrengine.bindings.cufile.Cufile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file that is read directly to device memory. No byte passes the CPU, so no frame or checksum is
 * checked before a decoder reads it. Use it only for trusted or uncompressed data.
 *
 * <p>Owner: the code that opened it; closed after the last read. Threads: any, several at a time.
 */
public final class GdsFile implements AutoCloseable {
    private final Path path;
    private final int descriptor;
    private final MemorySegment handle;

    private GdsFile(Path path, int descriptor, MemorySegment handle) {
        this.path = path;
        this.descriptor = descriptor;
        this.handle = handle;
    }

    /**
     * Opens a file for direct reads. May be called only if {@link GpuDirectStorage#status} is
     * usable.
     *
     * @param path a regular file
     * @return a file owned by the caller
     * @throws ErrnoException if it cannot be opened, or its file system does not support direct
     *     reads (EINVAL)
     * @throws GdsException if cuFile refuses it, e.g. for its file system
     */
    public static GdsFile open(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            int flags = LibC.O_RDONLY_CLOEXEC | LibC.O_DIRECT;
            int descriptor = LibC.open(callState, NativePath.of(arena, path), flags);
            if (descriptor < 0) {
                throw new ErrnoException("open", path + ", O_DIRECT", descriptor);
            }
            try {
                return new GdsFile(path, descriptor, register(arena, descriptor, path));
            } catch (Throwable t) { // Allowed: otherwise the descriptor would leak
                LibC.close(callState, descriptor);
                throw t;
            }
        }
    }

    private static MemorySegment register(Arena arena, int descriptor, Path path)
            throws GdsException {
        MemorySegment description = CUfileDescr_t.allocate(arena);
        CUfileDescr_t.type(description, Cufile.CU_FILE_HANDLE_TYPE_OPAQUE_FD());
        CUfileDescr_t.handle.fd(CUfileDescr_t.handle(description), descriptor);
        MemorySegment out = arena.allocate(ADDRESS);
        GdsException.check(
                Cufile.cuFileHandleRegister(arena, out, description),
                "cuFileHandleRegister",
                path.toString());
        return out.get(ADDRESS, 0);
    }

    /**
     * Reads bytes to device memory, and waits for them. Work queued in a stream must not use the
     * memory meanwhile, because cuFile does not synchronize with streams.
     *
     * @param offset first byte in the file
     * @param memory the target
     * @param memoryOffset first byte in the target
     * @param bytes number of bytes
     * @throws EOFException if the file ends before
     * @throws IOException if CUDA, cuFile or the file system fails; the content of the memory is
     *     undefined then
     * @throws IndexOutOfBoundsException if the bytes do not fit the memory
     */
    public void read(long offset, GdsMemory memory, long memoryOffset, long bytes)
            throws IOException {
        Objects.checkFromIndexSize(memoryOffset, bytes, memory.slice().byteSize());
        memory.device().check(Cudart.cudaSetDevice(memory.device().ordinal()), "cudaSetDevice");
        CaptureMode before = CaptureMode.RELAXED.exchange();
        try {
            readAll(offset, memory, memoryOffset, bytes);
        } finally {
            var _ = before.exchange();
        }
    }

    private void readAll(long offset, GdsMemory memory, long memoryOffset, long bytes)
            throws IOException {
        for (long done = 0; done < bytes; ) {
            long count =
                    Cufile.cuFileRead(
                            handle,
                            memory.slice().pointer(),
                            bytes - done,
                            offset + done,
                            memoryOffset + done);
            if (count <= 0) {
                throw failure(count, bytes - done + " bytes at " + (offset + done));
            }
            done += count;
        }
    }

    private IOException failure(long count, String subject) {
        if (count == 0) {
            return new EOFException(path + " ends before " + subject);
        }
        int code = count == GdsStatus.SYSTEM.code() ? (int) count : (int) -count;
        return new GdsException("cuFileRead", path + ", " + subject, code, "");
    }

    /** Closes the file. */
    @Override
    public void close() {
        Cufile.cuFileHandleDeregister(handle);
        LibC.close(descriptor);
    }
}
