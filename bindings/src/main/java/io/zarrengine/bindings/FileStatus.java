package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The status of an open file, from {@code statx(2)}.
 *
 * <p>Device, inode, size and modification time together identify a version of a file.
 *
 * @param byteSize length in bytes
 * @param mode file type and permissions, {@code st_mode}
 * @param owner user that owns the file, {@code st_uid}
 * @param inode inode number
 * @param deviceMajor major number of the device that holds it
 * @param deviceMinor minor number of the device that holds it
 * @param modifiedSeconds modification time, seconds since the epoch
 * @param modifiedNanos its fraction of a second
 * @param directAlignment required alignment of offsets, lengths and addresses for O_DIRECT, in
 *     bytes; 0 if the file system refuses O_DIRECT, -1 if the kernel does not report it (before
 *     6.1)
 */
public record FileStatus(
        long byteSize,
        int mode,
        int owner,
        long inode,
        int deviceMajor,
        int deviceMinor,
        long modifiedSeconds,
        int modifiedNanos,
        int directAlignment) {
    // struct statx, linux/stat.h, fixed by the kernel's ABI; BindingLayoutTest compares it.
    /** Size of the struct. */
    public static final long STRUCT_BYTES = 256;

    static final long MASK_OFFSET = 0;
    static final long OWNER_OFFSET = 20;
    static final long MODE_OFFSET = 28;
    static final long INODE_OFFSET = 32;
    static final long SIZE_OFFSET = 40;
    static final long CHANGED_OFFSET = 96;
    static final long MODIFIED_OFFSET = 112;
    static final long DEVICE_MAJOR_OFFSET = 136;
    static final long DEVICE_MINOR_OFFSET = 140;
    static final long DIRECT_MEMORY_ALIGNMENT_OFFSET = 152; // stx_dio_mem_align, not in old libcs
    static final long DIRECT_OFFSET_ALIGNMENT_OFFSET = 156; // stx_dio_offset_align

    /**
     * Reads the sizes and modification times of open files repeatedly. Owner: one thread at a time.
     *
     * <p>Makes a native call for that. If the thread has accessed a missing page of a mapped file,
     * the JVM throws on return from such a call, or has thrown before.
     */
    public static final class Size {
        // STATX_SIZE | STATX_MTIME | STATX_CTIME, linux/stat.h
        private static final int ASKED = 0x200 | 0x40 | 0x80;

        private final MemorySegment callState;
        private final MemorySegment noPath;
        private final MemorySegment status;

        /**
         * Allocates memory that the kernel writes to.
         *
         * @param arena of the memory
         */
        public Size(Arena arena) {
            callState = LibC.newCallState(arena);
            noPath = arena.allocateFrom("");
            status = arena.allocate(STRUCT_BYTES, Long.BYTES);
        }

        /**
         * {@return the current length of a file in bytes; or -errno}
         *
         * @param fd the file
         * @throws InternalError if an access to a mapped file failed
         */
        public long of(int fd) {
            int result = LibC.statx(callState, fd, noPath, AT_EMPTY_PATH, ASKED, status);
            return result < 0 ? result : status.get(JAVA_LONG, SIZE_OFFSET);
        }

        /**
         * {@return the modification time of the file of the last call of {@link #of}, in seconds
         * since the epoch}
         */
        public long modifiedSeconds() {
            return status.get(JAVA_LONG, MODIFIED_OFFSET);
        }

        /** {@return the fraction of a second of the modification time} */
        public int modifiedNanos() {
            return status.get(JAVA_INT, MODIFIED_OFFSET + Long.BYTES);
        }

        /**
         * {@return the time when the file or its status was changed, in seconds since the epoch}
         */
        public long changedSeconds() {
            return status.get(JAVA_LONG, CHANGED_OFFSET);
        }

        /** {@return the fraction of a second of the change time} */
        public int changedNanos() {
            return status.get(JAVA_INT, CHANGED_OFFSET + Long.BYTES);
        }
    }

    /** Flag to query the descriptor itself; from {@code linux/fcntl.h}. */
    public static final int AT_EMPTY_PATH = 0x1000;

    private static final int AT_FDCWD = -100; // linux/fcntl.h
    private static final int STATX_DIOALIGN = 0x2000; // linux/stat.h

    /** Fields that {@link #parse} needs: {@code STATX_BASIC_STATS | STATX_DIOALIGN}. */
    public static final int MASK = 0x7ff | STATX_DIOALIGN;

    private static final int S_IFMT = 0xf000; // sys/stat.h
    private static final int S_IFREG = 0x8000; // sys/stat.h

    /**
     * {@return the status of an open file}
     *
     * @param callState receives errno
     * @param fd the file
     * @param name its path, for the message
     * @throws ErrnoException if the kernel refuses
     */
    public static FileStatus of(MemorySegment callState, int fd, String name)
            throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            return ask(arena, callState, fd, arena.allocateFrom(""), AT_EMPTY_PATH, name);
        }
    }

    /**
     * {@return the status of the file at a path}
     *
     * @param callState receives errno
     * @param path symbolic links are followed
     * @throws ErrnoException if the kernel refuses; ENOENT if there is no file
     */
    public static FileStatus ofPath(MemorySegment callState, Path path) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = NativePath.of(arena, path);
            return ask(arena, callState, AT_FDCWD, bytes, 0, path.toString());
        }
    }

    private static FileStatus ask(
            Arena arena,
            MemorySegment callState,
            int fd,
            MemorySegment path,
            int flags,
            String name)
            throws ErrnoException {
        MemorySegment status = arena.allocate(STRUCT_BYTES, Long.BYTES);
        int result = LibC.statx(callState, fd, path, flags, MASK, status);
        if (result < 0) {
            throw new ErrnoException("statx", name, result);
        }
        return parse(status);
    }

    /**
     * {@return the status that the kernel wrote}
     *
     * @param status {@code struct statx}, requested with {@link #MASK}
     */
    public static FileStatus parse(MemorySegment status) {
        return new FileStatus(
                status.get(JAVA_LONG, SIZE_OFFSET),
                Short.toUnsignedInt(status.get(JAVA_SHORT, MODE_OFFSET)),
                status.get(JAVA_INT, OWNER_OFFSET),
                status.get(JAVA_LONG, INODE_OFFSET),
                status.get(JAVA_INT, DEVICE_MAJOR_OFFSET),
                status.get(JAVA_INT, DEVICE_MINOR_OFFSET),
                status.get(JAVA_LONG, MODIFIED_OFFSET),
                status.get(JAVA_INT, MODIFIED_OFFSET + Long.BYTES),
                directAlignment(status));
    }

    private static int directAlignment(MemorySegment status) {
        if ((status.get(JAVA_INT, MASK_OFFSET) & STATX_DIOALIGN) == 0) {
            return -1;
        }
        return Math.max(
                status.get(JAVA_INT, DIRECT_MEMORY_ALIGNMENT_OFFSET),
                status.get(JAVA_INT, DIRECT_OFFSET_ALIGNMENT_OFFSET));
    }

    /** {@return whether this is a regular file: not a directory, pipe or device} */
    public boolean isRegularFile() {
        return (mode & S_IFMT) == S_IFREG;
    }
}
