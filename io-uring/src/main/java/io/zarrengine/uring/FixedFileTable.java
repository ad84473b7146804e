package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_FILES;
import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_FILES_UPDATE;
import static io.zarrengine.bindings.liburing.Liburing.IOSQE_FIXED_FILE;
import static io.zarrengine.bindings.liburing.Liburing.io_uring_register;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.liburing.io_uring_files_update;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The table of files that a ring knows by number, which saves each read a look-up. Two system calls
 * go with it, as much as dozens of look-ups, so a file is registered once it has been read a few
 * times: of many small ones each is read once.
 *
 * <p>Until then, and where the kernel refuses the table (a low RLIMIT_NOFILE, an old kernel),
 * descriptors are used; {@link AttachedFiles} keeps them open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_register.2.html">
 *     io_uring_register(2), IORING_REGISTER_FILES</a>
 */
final class FixedFileTable {
    private static final int NO_FILE = -1;

    /** A look-up costs 20 to 40 ns, registering a file and forgetting it 1 us. */
    static final int READS_MIN = 32;

    private final int ringDescriptor;
    private final int[] descriptors;
    private final int[] reads; // of each file, as far as they are counted
    private final BitSet inTable; // numbers; as large as it gets, from the start
    private final MemorySegment update; // io_uring_files_update of one file
    private final MemorySegment updated; // its descriptor
    private final boolean registered;

    /** {@code arena}: the ring's. */
    FixedFileTable(int ringDescriptor, int max, Arena arena) {
        this.ringDescriptor = ringDescriptor;
        this.descriptors = new int[max];
        this.reads = new int[max];
        this.inTable = new BitSet(max);
        Arrays.fill(descriptors, NO_FILE);
        this.update = io_uring_files_update.allocate(arena);
        this.updated = arena.allocate(JAVA_INT);
        io_uring_files_update.fds(update, updated.address());
        try (Arena ours = Arena.ofConfined()) {
            MemorySegment table = ours.allocateFrom(JAVA_INT, descriptors);
            registered =
                    io_uring_register(ringDescriptor, IORING_REGISTER_FILES(), table, max) >= 0;
        }
    }

    int max() {
        return descriptors.length;
    }

    boolean areRegistered() {
        return registered;
    }

    /** {@code file} is null for none. */
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

    /** {@return whether submissions name a file's number in the table} Else its descriptor. */
    boolean isInTable(int fileNumber) {
        return inTable.get(fileNumber);
    }

    /** What a submission names. */
    int descriptor(int fileNumber) {
        return isInTable(fileNumber) ? fileNumber : descriptors[fileNumber];
    }

    int submissionFlags(int fileNumber) {
        return isInTable(fileNumber) ? IOSQE_FIXED_FILE() : 0;
    }

    /**
     * Counts a read that is about to be submitted. It has its place in the queue already, so
     * nothing may fail here: a file that the kernel does not take goes on by its descriptor.
     */
    void use(int fileNumber) {
        if (registered && reads[fileNumber] < READS_MIN && ++reads[fileNumber] == READS_MIN) {
            inTable.set(fileNumber, update(fileNumber, descriptors[fileNumber]) >= 0);
        }
    }

    /** Returns what the system call does. */
    private int update(int fileNumber, int descriptor) {
        io_uring_files_update.offset(update, fileNumber);
        updated.set(JAVA_INT, 0, descriptor);
        return io_uring_register(ringDescriptor, IORING_REGISTER_FILES_UPDATE(), update, 1);
    }
}
