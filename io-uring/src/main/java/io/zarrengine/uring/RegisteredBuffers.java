package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_BUFFERS;
import static io.zarrengine.bindings.liburing.Liburing.IORING_REGISTER_BUFFERS_UPDATE;

import io.zarrengine.bindings.IoUring;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.liburing.io_uring_rsrc_update2;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory registered with a ring. Its pages are pinned once, and not for every read.
 *
 * <p>The kernel's table has empty places, for memory that is added later. Where the kernel refuses
 * memory (RLIMIT_MEMLOCK; empty places before Linux 5.13), plain reads are used.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/io_uring_registered_buffers.7.html">
 *     io_uring_registered_buffers(7)</a>
 */
final class RegisteredBuffers {
    /** Largest buffer; the kernel refuses a larger one (EFAULT). */
    private static final long BUFFER_BYTES_MAX = 1L << 30;

    /** Size of the table, for a worker's memory and the pinned memory of several devices. */
    private static final int PLACES = 32;

    private final int ringDescriptor;
    private final List<MemorySegment> buffers = new ArrayList<>(); // by their place in the table
    private int places; // size of the table; 0: not created yet
    private boolean isRefused; // the kernel refused the last one; no other is tried

    RegisteredBuffers(int ringDescriptor) {
        this.ringDescriptor = ringDescriptor;
    }

    boolean areRegistered() {
        return !buffers.isEmpty();
    }

    /** {@return the index of the registered buffer that holds all of this memory, or -1} */
    int indexOf(long address, long bytes) {
        for (int i = 0; i < buffers.size(); i++) {
            long offset = address - buffers.get(i).address();
            if (offset >= 0 && offset + bytes <= buffers.get(i).byteSize()) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Registers memory, unless it is registered. It must not be freed before the ring is closed.
     */
    void add(MemorySegment memory) {
        if (isRefused || indexOf(memory.address(), 1) >= 0) {
            return;
        }
        for (long at = 0; at < memory.byteSize() && !isRefused; at += BUFFER_BYTES_MAX) {
            long bytes = Math.min(BUFFER_BYTES_MAX, memory.byteSize() - at);
            addBuffer(memory.asSlice(at, bytes));
        }
    }

    private void addBuffer(MemorySegment buffer) {
        boolean isAdded = places == 0 ? begin(buffer) : update(buffer);
        isRefused = !isAdded;
        if (isAdded) {
            buffers.add(buffer);
        }
    }

    /** Creates the table, with this buffer and with empty places if the kernel supports them. */
    private boolean begin(MemorySegment buffer) {
        for (int wanted : new int[] {PLACES, 1}) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment vectors = arena.allocate(IoVector.LAYOUT, wanted); // zeros: empty
                IoVector.set(vectors, 0, buffer);
                if (IoUring.register(ringDescriptor, IORING_REGISTER_BUFFERS(), vectors, wanted)
                        >= 0) {
                    places = wanted;
                    return true;
                }
            }
        }
        return false;
    }

    /** Puts a buffer in the next place. */
    private boolean update(MemorySegment buffer) {
        if (buffers.size() == places) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vector = arena.allocate(IoVector.LAYOUT);
            IoVector.set(vector, 0, buffer);
            MemorySegment update = io_uring_rsrc_update2.allocate(arena);
            io_uring_rsrc_update2.offset(update, buffers.size());
            io_uring_rsrc_update2.data(update, vector.address());
            io_uring_rsrc_update2.nr(update, 1);
            int bytes = (int) update.byteSize(); // tells the kernel the version of the struct
            return IoUring.register(ringDescriptor, IORING_REGISTER_BUFFERS_UPDATE(), update, bytes)
                    >= 0;
        }
    }
}
