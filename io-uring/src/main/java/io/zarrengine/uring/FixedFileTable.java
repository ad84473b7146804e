package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_FILES;
import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_FILES_UPDATE;
import static io.zarrengine.bindings.liburing.Liburing.IOSQE_FIXED_FILE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoUring;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The table of files registered with a ring, by number. A registered file saves a look-up on each
 * read. Registering and unregistering a file takes two system calls, as long as dozens of look-ups,
 * so a file is registered after it has been read {@link #READS_MIN} times. An array of many small
 * files reads each only once.
 *
 * <p>Before that, and where the kernel refuses the table (a low RLIMIT_NOFILE, an old kernel),
 * reads use descriptors; {@link AttachedFiles} keeps them open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_register.2.html">
 *     io_uring_register(2), IORING_REGISTER_FILES</a>
 */
final class FixedFileTable {
    private static final int NO_FILE = -1;

    // struct io_uring_files_update
    static final int UPDATE_BYTES = 16;
    static final int OFFSET = 0;
    static final int FDS = 8;

    /** A look-up takes 20 to 40 ns; registering and unregistering a file takes 1 us. */
    static final int READS_MIN = 32;

    private final int ringDescriptor;
    private final int[] descriptors;
    private final int[] reads; // for each file, counted up to READS_MIN
    private final BitSet inTable; // file numbers; allocated at full size
    private final MemorySegment update; // io_uring_files_update of one file
    private final MemorySegment updated; // the descriptor in it
    private final boolean registered;

    /** Registers an empty table of {@code max} files. {@code arena} is the ring's. */
    FixedFileTable(int ringDescriptor, int max, Arena arena) {
        this.ringDescriptor = ringDescriptor;
        this.descriptors = new int[max];
        this.reads = new int[max];
        this.inTable = new BitSet(max);
        Arrays.fill(descriptors, NO_FILE);
        this.update = arena.allocate(UPDATE_BYTES, JAVA_LONG.byteAlignment());
        this.updated = arena.allocate(JAVA_INT);
        update.set(JAVA_LONG, FDS, updated.address());
        try (Arena ours = Arena.ofConfined()) {
            MemorySegment table = ours.allocateFrom(JAVA_INT, descriptors);
            registered = IoUring.register(ringDescriptor, IORING_REGISTER_FILES(), table, max) >= 0;
        }
    }

    int max() {
        return descriptors.length;
    }

    boolean areRegistered() {
        return registered;
    }

    /** Sets the file of a number; null removes it. */
    void set(int fileNumber, DescriptorFile file) {
        descriptors[fileNumber] = file == null ? NO_FILE : file.descriptor();
        reads[fileNumber] = 0;
        if (inTable.get(fileNumber)) {
            inTable.clear(fileNumber);
            int result = update(fileNumber, NO_FILE);
            if (result < 0) {
                String subject = "IORING_REGISTER_FILES_UPDATE of file " + fileNumber;
                throw new IllegalStateException(
                        new ErrnoException("io_uring_register", subject, result));
            }
        }
    }

    /**
     * {@return whether submissions name a file by its number in the table, not by its descriptor}
     */
    boolean isInTable(int fileNumber) {
        return inTable.get(fileNumber);
    }

    /** Returns the number or descriptor that a submission names. */
    int descriptor(int fileNumber) {
        return isInTable(fileNumber) ? fileNumber : descriptors[fileNumber];
    }

    int submissionFlags(int fileNumber) {
        return isInTable(fileNumber) ? IOSQE_FIXED_FILE() : 0;
    }

    /**
     * Counts a read that is about to be submitted. The read already has its place in the queue, so
     * this must not fail: if the kernel refuses to register the file, reads go on using its
     * descriptor.
     */
    void use(int fileNumber) {
        if (registered && reads[fileNumber] < READS_MIN && ++reads[fileNumber] == READS_MIN) {
            inTable.set(fileNumber, update(fileNumber, descriptors[fileNumber]) >= 0);
        }
    }

    /** Returns the result of the system call. */
    private int update(int fileNumber, int descriptor) {
        update.set(JAVA_INT, OFFSET, fileNumber);
        updated.set(JAVA_INT, 0, descriptor);
        return IoUring.register(ringDescriptor, IORING_REGISTER_FILES_UPDATE(), update, 1);
    }
}
