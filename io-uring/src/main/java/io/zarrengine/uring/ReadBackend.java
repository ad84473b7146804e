package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeAccess;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * A way to read files: io_uring, or a fallback that behaves the same.
 *
 * <p>Owner: who opened it. Threads: any. It outlives its queues and its files.
 */
public final class ReadBackend implements AutoCloseable {
    /** Places that {@link #readNow} may read to at once: UIO_MAXIOV of linux/uio.h. */
    public static final int PIECES_NOW_MAX = 1024;

    /** The ways to read, best first. */
    public enum Method {
        /** A ring per thread. */
        IO_URING,

        /** preadv(2) on a pool of threads. */
        PREADV,

        /** {@code FileChannel} on a pool of threads: no native access is needed. */
        FILE_CHANNEL
    }

    private static final class ProbeHolder {
        private static final UringProbe PROBE = UringProbe.run();
    }

    private final Method method;
    private final BlockingReadPool pool; // null with io_uring
    private final AutoCaching auto = new AutoCaching();
    private final MappingRule mapping = MappingRule.configured();

    private ReadBackend(Method method) {
        this.method = method;
        this.pool =
                switch (method) {
                    case IO_URING -> null;
                    case PREADV -> new BlockingReadPool(PreadvReader::new);
                    case FILE_CHANNEL -> new BlockingReadPool(ChannelReader::new);
                };
    }

    /** {@return the best way to read that works on this machine; a log says if that is slow} */
    public static ReadBackend best() {
        NativeAccess.logDenial();
        for (Method method : Method.values()) {
            if (unavailabilityCause(method).isEmpty()) {
                return new ReadBackend(method);
            }
        }
        throw new AssertionError("FILE_CHANNEL always works");
    }

    /**
     * {@return this way to read}
     *
     * @param method which
     * @throws UnsupportedOperationException if it does not work on this machine; the message says
     *     why
     */
    public static ReadBackend of(Method method) {
        unavailabilityCause(method)
                .ifPresent(cause -> {
                    throw new UnsupportedOperationException(method + ": " + cause);
                });
        return new ReadBackend(method);
    }

    /**
     * {@return why a way to read does not work on this machine, or empty if it does}
     *
     * @param method which
     */
    public static Optional<String> unavailabilityCause(Method method) {
        return switch (method) {
            case IO_URING ->
                    ProbeHolder.PROBE.works()
                            ? Optional.empty()
                            : Optional.of(ProbeHolder.PROBE.finding());
            case PREADV ->
                    NativeAccess.denial()
                            .or(() ->
                                    isLinux()
                                            ? Optional.empty()
                                            : Optional.of("only bound on Linux"));
            case FILE_CHANNEL -> Optional.empty();
        };
    }

    /** {@return what io_uring offers here, or why it does not work; one line} */
    public static String uringFinding() {
        return ProbeHolder.PROBE.finding();
    }

    /** {@return how this one reads} */
    public Method method() {
        return method;
    }

    /**
     * {@return a path as this backend opens it: absolute}
     *
     * @param path of any file or folder
     * @throws IllegalArgumentException if it belongs to another file system than the default one,
     *     of an archive for example: the kernel would read another file of that name. Only {@link
     *     Method#FILE_CHANNEL} reads those
     */
    public Path absolute(Path path) {
        if (method != Method.FILE_CHANNEL
                && !path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException(
                    path.toUri() + " is in another file system: only Java's channels read there");
        }
        return path.toAbsolutePath();
    }

    /**
     * Opens a file for reading.
     *
     * @param path a regular file
     * @return the file, retained once for the caller
     * @throws NoSuchFileException if there is nothing of this name, not even a link to nowhere
     * @throws AccessDeniedException if it may not be read
     * @throws IOException if it is no regular file, or for another reason; the message names the
     *     path and the errno
     */
    public FileHandle open(Path path) throws IOException {
        return open(path, Caching.BUFFERED);
    }

    /**
     * Opens a file for reading in a chosen way.
     *
     * @param path a regular file
     * @param caching what is wanted; {@link FileHandle#caching} says what it became. Without native
     *     access every file is buffered
     * @return the file, retained once for the caller
     * @throws NoSuchFileException if there is none
     * @throws AccessDeniedException if it may not be read
     * @throws IOException if it is no regular file, or for another reason; the message names the
     *     path and the errno
     */
    public FileHandle open(Path path, Caching caching) throws IOException {
        try {
            return openNow(path, caching);
        } catch (NoSuchFileException e) {
            if (isMissing(path)) {
                throw e;
            }
        }
        try {
            return openNow(path, caching); // It came to be just now.
        } catch (NoSuchFileException e) {
            if (path.getFileSystem().equals(FileSystems.getDefault())) {
                throw e; // It went again.
            }
            String reason = "Java finds it, " + method + " does not";
            throw new FileSystemException(path.toString(), null, reason);
        }
    }

    private FileHandle openNow(Path path, Caching caching) throws IOException {
        return method == Method.FILE_CHANNEL
                ? ChannelFile.open(path)
                : DescriptorFile.open(path, caching, auto);
    }

    /** A link to nowhere is no missing file: what it stands for was there once. */
    private static boolean isMissing(Path path) throws FileSystemException {
        Path present = path.toAbsolutePath();
        while (present != null && !Files.exists(present)) {
            if (Files.isSymbolicLink(present)) {
                String reason = "needs " + present + ", a symbolic link to nothing";
                throw new FileSystemException(path.toString(), null, reason);
            }
            present = present.getParent();
        }
        if (path.toAbsolutePath().equals(present)) {
            return false;
        }
        if (present != null && !Files.isDirectory(present)) { // So Java hides ENOTDIR.
            throw new FileSystemException(path.toString(), null, DescriptorFile.BELOW_A_FILE);
        }
        return true;
    }

    /**
     * {@return which version of a file a path leads to now, without opening it}
     *
     * @param path a file
     * @throws NoSuchFileException if there is none
     * @throws IOException for another reason
     */
    public FileVersion version(Path path) throws IOException {
        return method == Method.FILE_CHANNEL
                ? ChannelFile.version(path)
                : DescriptorFile.version(path);
    }

    /**
     * Reads what is in the page cache now, on the calling thread, and never waits for a device. A
     * few such reads cost less than waking another thread, and a virtual thread may make them.
     *
     * @param file an open file of this backend
     * @param offset where to read from, in bytes
     * @param target native memory
     * @return bytes read, fewer than wanted where the cache or the file ends; or -errno, EAGAIN if
     *     nothing is there or this cannot be done
     */
    public long readNow(FileHandle file, long offset, MemorySegment target) {
        return readNow(file, offset, List.of(target));
    }

    /**
     * The same, into several places: ranges that lie side by side in the file, and not in memory.
     *
     * @param file an open file of this backend
     * @param offset where to read from, in bytes
     * @param pieces slices of the same native memory, 1 to {@link #PIECES_NOW_MAX}
     * @return as for one piece
     */
    public long readNow(FileHandle file, long offset, List<MemorySegment> pieces) {
        // Kernels without io_uring may lose data here (5.9 and 5.10), so only with it.
        boolean possible = method == Method.IO_URING && file.caching() != Caching.DIRECT;
        return possible ? ((DescriptorFile) file).readNow(offset, pieces) : -Errno.EAGAIN;
    }

    /**
     * Reads a few bytes on the calling thread, and waits for them.
     *
     * @param file an open file of this backend
     * @param offset of the first of them in the file
     * @param bytes how many
     * @return the bytes
     * @throws IOException if they cannot be read, or the file ends before
     */
    public byte[] read(FileHandle file, long offset, int bytes) throws IOException {
        if (method == Method.FILE_CHANNEL) {
            byte[] read = new byte[bytes];
            readWhole(this::readOnPool, file, offset, MemorySegment.ofArray(read), bytes);
            return read;
        }
        int alignment = file.alignment();
        long from = offset & -alignment;
        long to = (offset + bytes + alignment - 1) & -alignment;
        try (Arena arena = Arena.ofConfined();
                BlockingReader reader = new PreadvReader()) {
            MemorySegment memory = arena.allocate(to - from, Math.max(alignment, Long.BYTES));
            readWhole(reader::read, file, from, memory, offset + bytes - from);
            return memory.asSlice(offset - from, bytes).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** {@link BlockingReader#read}, wherever it runs. */
    @FunctionalInterface
    private interface PartReader {
        long read(FileHandle file, long offset, MemorySegment memory, long at, long bytes)
                throws IOException;
    }

    /** Fills memory as far as there is a file; {@code needed} bytes of it there must be. */
    private static void readWhole(
            PartReader reader, FileHandle file, long offset, MemorySegment memory, long needed)
            throws IOException {
        long done = 0;
        while (done < needed) {
            long left = memory.byteSize() - done;
            long read = reader.read(file, offset + done, memory, done, left);
            if (read == 0) {
                throw new EOFException("the file ends before byte " + (offset + needed));
            }
            if (read < 0 && read != -Errno.EINTR) {
                String subject = file + " at " + offset + ", " + needed + " bytes";
                throw new ErrnoException("read", subject, read);
            }
            done += Math.max(read, 0);
        }
    }

    /** An interrupt of the calling thread would close the channel, for all who read it. */
    private long readOnPool(FileHandle file, long offset, MemorySegment memory, long at, long bytes)
            throws IOException {
        CompletableFuture<Long> ended = new CompletableFuture<>();
        try {
            pool.execute(reader -> {
                try {
                    ended.complete(reader.read(file, offset, memory, at, bytes));
                } catch (RuntimeException | Error e) {
                    ended.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            throw new IOException("what reads it is closed", e);
        }
        return ended.join();
    }

    /** {@return how much memory the page cache may take for this process, about, in bytes} */
    public long cacheBytes() {
        return auto.cacheBytes();
    }

    /** {@return which files are mapped} */
    public MappingRule mapping() {
        return mapping;
    }

    /**
     * {@return what copies from the page cache itself, for one thread; empty if nothing may}
     *
     * @param arena its memory ends with it
     */
    public Optional<MappedReader> newMappedReader(Arena arena) {
        return method == Method.FILE_CHANNEL
                ? Optional.empty()
                : Optional.of(new MappedReader(mapping, arena));
    }

    /**
     * Makes a queue for the calling thread.
     *
     * @param capacity reads in flight at most, between 1 and 4096
     * @param memory native memory, shared between threads, that most reads go to; registered with
     *     the kernel where it can be. It must outlive the queue
     * @return the queue, owned by the calling thread
     * @throws IOException if the kernel refuses a ring
     */
    public ReadQueue newQueue(int capacity, List<MemorySegment> memory) throws IOException {
        if (capacity < 1 || capacity > 4096) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        if (method != Method.IO_URING) {
            return new PoolReadQueue(pool, capacity);
        }
        KernelRing ring = new KernelRing(capacity, memory, RingSetup.LADDER);
        return new RingReadQueue(ring, capacity);
    }

    /** Ends the threads of the pool, if there are any. All queues must be closed. */
    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }
}
