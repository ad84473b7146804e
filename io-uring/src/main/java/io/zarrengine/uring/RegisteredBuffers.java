package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_BUFFERS;
import static io.zarrengine.bindings.liburing.Liburing.io_uring_register;

import io.zarrengine.bindings.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The memory that a ring knows: its pages are pinned once and not for every read.
 *
 * <p>Where the kernel refuses it (RLIMIT_MEMLOCK), plain reads do the same.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/io_uring_registered_buffers.7.html">
 *     io_uring_registered_buffers(7)</a>
 */
final class RegisteredBuffers {
    /** The kernel refuses a larger buffer (EFAULT). */
    private static final long BUFFER_BYTES_MAX = 1L << 30;

    private final long[] begins; // addresses
    private final long[] ends;

    RegisteredBuffers(int ringDescriptor, List<MemorySegment> wanted) {
        List<MemorySegment> buffers = register(ringDescriptor, wanted) ? wanted : List.of();
        begins = buffers.stream().mapToLong(MemorySegment::address).toArray();
        ends = buffers.stream().mapToLong(b -> b.address() + b.byteSize()).toArray();
    }

    boolean areRegistered() {
        return begins.length > 0;
    }

    /** {@return which registered buffer holds all of this memory, or -1} */
    int indexOf(long address, long bytes) {
        for (int i = 0; i < begins.length; i++) {
            if (address >= begins[i] && address + bytes <= ends[i]) {
                return i;
            }
        }
        return -1;
    }

    private static boolean register(int ringDescriptor, List<MemorySegment> wanted) {
        if (wanted.isEmpty() || wanted.stream().anyMatch(m -> m.byteSize() > BUFFER_BYTES_MAX)) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vectors = arena.allocate(IoVector.LAYOUT, wanted.size());
            for (int i = 0; i < wanted.size(); i++) {
                IoVector.set(vectors, i, wanted.get(i));
            }
            return io_uring_register(
                            ringDescriptor, IORING_REGISTER_BUFFERS(), vectors, wanted.size())
                    >= 0;
        }
    }
}
