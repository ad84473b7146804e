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
 * <p>Owner: its opener. Threads: any. It must outlive its queues and its files.
 */
public final class ReadBackend implements AutoCloseable {
    /** Most pieces of one {@link #readNow}: UIO_MAXIOV of linux/uio.h. */
    public static final int PIECES_NOW_MAX = 1024;

    /** The ways to read, best first. */
    public enum Method {
        /** A ring for each thread. */
        IO_URING,

        /** preadv(2) on a pool of threads. */
        PREADV,

        /** {@code FileChannel} on a pool of threads. Needs no native access. */
        FILE_CHANNEL
    }

    private static final class ProbeHolder {
        private static final CompletableFuture<UringProbe> PROBE = UringProbe.start();
    }

    private final boolean isChannel;
    private volatile Method method; // null until it is asked for: the probe goes on meanwhile
    private BlockingReadPool pool; // null with io_uring, or until it is used; guarded by this
    private boolean isClosed; // guarded by this
    private final AutoCaching auto = new AutoCaching();
    private final MappingRule mapping = MappingRule.configured();

    /** Takes null for io_uring or preadv(2), whichever the probe finds. */
    private ReadBackend(Method method) {
        this.method = method;
        isChannel = method == Method.FILE_CHANNEL;
    }

    /**
     * {@return the best way to read that works on this machine} Does not wait for the probe of
     * io_uring, which takes a new process some 200 ms; the first user of its result does. Logs a
     * warning if native access is denied.
     */
    public static ReadBackend best() {
        NativeAccess.logDenial();
        if (unavailabilityCause(Method.PREADV).isPresent()) {
            return new ReadBackend(Method.FILE_CHANNEL);
        }
        ProbeHolder.PROBE.isDone(); // starts it
        return new ReadBackend(null);
    }

    /**
     * {@return a backend of a given method}
     *
     * @param method the way to read
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
     * {@return why a way to read does not work on this machine, or empty if it works}
     *
     * @param method the way to read
     */
    public static Optional<String> unavailabilityCause(Method method) {
        return switch (method) {
            case IO_URING -> probe().works() ? Optional.empty() : Optional.of(probe().finding());
            case PREADV ->
                    NativeAccess.denial()
                            .or(() ->
                                    isLinux()
                                            ? Optional.empty()
                                            : Optional.of("only bound on Linux"));
            case FILE_CHANNEL -> Optional.empty();
        };
    }

    /** {@return the features of io_uring here, or why it does not work; one line} */
    public static String uringFinding() {
        return probe().finding();
    }

    private static UringProbe probe() {
        return ProbeHolder.PROBE.join();
    }

    /** {@return the method of this backend} */
    public Method method() {
        Method known = method;
        if (known == null) {
            known = probe().works() ? Method.IO_URING : Method.PREADV;
            method = known;
        }
        return known;
    }

    private synchronized BlockingReadPool pool() {
        if (pool == null) {
            pool = new BlockingReadPool(isChannel ? ChannelReader::new : PreadvReader::new);
            if (isClosed) {
                pool.close(); // It refuses all reads.
            }
        }
        return pool;
    }

    /**
     * {@return the absolute path that this backend opens}
     *
     * @param path path of any file or folder
     * @throws IllegalArgumentException if the path belongs to another file system than the default
     *     one, for example an archive: the kernel would read another file of that name. Only {@link
     *     Method#FILE_CHANNEL} reads those
     */
    public Path absolute(Path path) {
        if (!isChannel && !path.getFileSystem().equals(FileSystems.getDefault())) {
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
     * @throws NoSuchFileException if nothing has this name, not even a broken link
     * @throws AccessDeniedException if the file may not be read
     * @throws IOException if it is not a regular file, or for another reason; the message names the
     *     path and the errno
     */
    public FileHandle open(Path path) throws IOException {
        return open(path, Caching.BUFFERED);
    }

    /**
     * Opens a file for reading, through the page cache or around it.
     *
     * @param path a regular file
     * @param caching the requested way; {@link FileHandle#caching} is the granted one. Without
     *     native access every file is buffered
     * @return the file, retained once for the caller
     * @throws NoSuchFileException if there is no such file
     * @throws AccessDeniedException if the file may not be read
     * @throws IOException if it is not a regular file, or for another reason; the message names the
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
            return openNow(path, caching); // The file was created meanwhile.
        } catch (NoSuchFileException e) {
            if (path.getFileSystem().equals(FileSystems.getDefault())) {
                throw e; // The file was deleted again.
            }
            String reason = "Java finds it, " + method() + " does not";
            throw new FileSystemException(path.toString(), null, reason);
        }
    }

    private FileHandle openNow(Path path, Caching caching) throws IOException {
        return isChannel ? ChannelFile.open(path) : DescriptorFile.open(path, caching, auto);
    }

    /**
     * Returns whether a file is missing. Throws for a broken link, because its target existed once.
     */
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
        // Java reports ENOTDIR as a missing file.
        if (present != null && !Files.isDirectory(present)) {
            throw new FileSystemException(path.toString(), null, DescriptorFile.BELOW_A_FILE);
        }
        return true;
    }

    /**
     * {@return the version of the file that a path leads to now, without opening it}
     *
     * @param path a file
     * @throws NoSuchFileException if there is no such file
     * @throws IOException for another reason
     */
    public FileVersion version(Path path) throws IOException {
        return isChannel ? ChannelFile.version(path) : DescriptorFile.version(path);
    }

    /**
     * Reads from the page cache, on the calling thread, and never waits for a device. A few of
     * these reads cost less than waking another thread, and a virtual thread may make them.
     *
     * @param file an open file of this backend
     * @param offset file offset of the first byte
     * @param target native memory
     * @return bytes read, fewer than requested where the cached part or the file ends; or -errno,
     *     EAGAIN if nothing is cached or this is not possible
     */
    public long readNow(FileHandle file, long offset, MemorySegment target) {
        return readNow(file, offset, List.of(target));
    }

    /**
     * Reads from the page cache into several pieces: ranges that are adjacent in the file, but not
     * in memory.
     *
     * @param file an open file of this backend
     * @param offset file offset of the first byte
     * @param pieces slices of the same native memory, 1 to {@link #PIECES_NOW_MAX}
     * @return as for one piece
     */
    public long readNow(FileHandle file, long offset, List<MemorySegment> pieces) {
        // Kernels 5.9 and 5.10 may lose data here, so this is done only with io_uring.
        boolean possible = method() == Method.IO_URING && file.caching() != Caching.DIRECT;
        return possible ? ((DescriptorFile) file).readNow(offset, pieces) : -Errno.EAGAIN;
    }

    /**
     * Reads a few bytes on the calling thread, and waits for them.
     *
     * @param file an open file of this backend
     * @param offset file offset of the first byte
     * @param bytes number of bytes
     * @return the bytes
     * @throws IOException if they cannot be read, or the file ends before
     */
    public byte[] read(FileHandle file, long offset, int bytes) throws IOException {
        if (isChannel) {
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

    /** {@link BlockingReader#read}, on any thread. */
    @FunctionalInterface
    private interface PartReader {
        long read(FileHandle file, long offset, MemorySegment memory, long at, long bytes)
                throws IOException;
    }

    /** Fills memory until {@code needed} bytes have been read; fails if the file ends before. */
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

    /**
     * Reads on the pool, because an interrupt of the calling thread would close the channel for all
     * its readers.
     */
    private long readOnPool(FileHandle file, long offset, MemorySegment memory, long at, long bytes)
            throws IOException {
        CompletableFuture<Long> ended = new CompletableFuture<>();
        try {
            pool().execute(reader -> {
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

    /** {@return roughly the memory that the page cache may take for this process, in bytes} */
    public long cacheBytes() {
        return auto.cacheBytes();
    }

    /** {@return whether files are read by {@code FileChannel}} Does not wait for the probe. */
    public boolean isChannel() {
        return isChannel;
    }

    /** {@return the rule that says which files are mapped} */
    public MappingRule mapping() {
        return mapping;
    }

    /**
     * {@return a reader that copies from the page cache, for one thread; empty if files cannot be
     * mapped}
     *
     * @param arena owns the reader's memory
     */
    public Optional<MappedReader> newMappedReader(Arena arena) {
        return isChannel ? Optional.empty() : Optional.of(new MappedReader(mapping, arena));
    }

    /**
     * Creates a queue for the calling thread.
     *
     * @param capacity most reads in flight, 1 to 4096
     * @param memory native memory, shared between threads, that most reads go to; registered with
     *     the kernel where possible. It must outlive the queue
     * @return the queue, owned by the calling thread
     * @throws IOException if the kernel refuses a ring
     */
    public ReadQueue newQueue(int capacity, List<MemorySegment> memory) throws IOException {
        if (capacity < 1 || capacity > 4096) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        if (method() != Method.IO_URING) {
            return new PoolReadQueue(pool(), capacity);
        }
        KernelRing ring = new KernelRing(capacity, memory, RingSetup.LADDER);
        return new RingReadQueue(ring, capacity);
    }

    /** Ends the threads of the pool, if there is one. All queues must be closed. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (pool != null) {
            pool.close();
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }
}
