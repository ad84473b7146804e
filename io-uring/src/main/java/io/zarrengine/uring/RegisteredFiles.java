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

/**
 * The table of files that a ring knows by number. A registered file is held by the kernel, so its
 * reads never meet a descriptor that was closed and given to another file.
 *
 * <p>Where the kernel refuses the table (a low RLIMIT_NOFILE, an old kernel), descriptors are used;
 * {@link AttachedFiles} keeps them open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_register.2.html">
 *     io_uring_register(2), IORING_REGISTER_FILES</a>
 */
final class RegisteredFiles {
    private static final int NO_FILE = -1;

    private final int ringDescriptor;
    private final int[] descriptors;
    private final boolean registered;

    RegisteredFiles(int ringDescriptor, int max) {
        this.ringDescriptor = ringDescriptor;
        this.descriptors = new int[max];
        Arrays.fill(descriptors, NO_FILE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocateFrom(JAVA_INT, descriptors);
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

    void set(int fileNumber, DescriptorFile file) {
        int descriptor = file == null ? NO_FILE : file.descriptor();
        descriptors[fileNumber] = descriptor;
        if (registered) {
            update(fileNumber, descriptor);
        }
    }

    /** What a submission names: the file's number in the table, or its descriptor. */
    int descriptor(int fileNumber) {
        return registered ? fileNumber : descriptors[fileNumber];
    }

    int submissionFlags() {
        return registered ? IOSQE_FIXED_FILE() : 0;
    }

    private void update(int fileNumber, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment update = io_uring_files_update.allocate(arena);
            io_uring_files_update.offset(update, fileNumber);
            io_uring_files_update.fds(update, arena.allocateFrom(JAVA_INT, descriptor).address());
            int result =
                    io_uring_register(ringDescriptor, IORING_REGISTER_FILES_UPDATE(), update, 1);
            if (result < 0) {
                String subject = "IORING_REGISTER_FILES_UPDATE of file " + fileNumber;
                throw new IllegalStateException(
                        new ErrnoException("io_uring_register", subject, result));
            }
        }
    }
}
