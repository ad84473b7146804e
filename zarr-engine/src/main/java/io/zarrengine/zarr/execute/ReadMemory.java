package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.MappedRegion;
import io.zarrengine.bindings.NativeAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The memory that a worker reads into, handed out in runs of slots. The slot that was freed last
 * and lies first is used again first: it is still in the cache.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
final class ReadMemory implements AutoCloseable {
    /** Small enough not to waste much on a small read, large enough to need few of them. */
    private static final int SLOT_BYTES = 32 << 10;

    private final AutoCloseable owner;
    private final MemorySegment memory;
    private final int slots;
    private final BitSet used = new BitSet();

    ReadMemory(long bytes) throws ErrnoException {
        long rounded = Math.ceilDiv(bytes, SLOT_BYTES) * SLOT_BYTES;
        if (NativeAccess.denial().isEmpty()) {
            MappedRegion region = MappedRegion.anonymous(rounded);
            owner = region;
            memory = region.segment();
        } else {
            Arena arena = Arena.ofShared();
            owner = arena;
            memory = arena.allocate(rounded, Long.BYTES);
        }
        slots = Math.toIntExact(rounded / SLOT_BYTES);
    }

    /** {@return all of it, to register with the kernel} */
    MemorySegment memory() {
        return memory;
    }

    /** {@return the largest read that should go here: a few of them fit at once} */
    long readBytesMax() {
        return memory.byteSize() / 4;
    }

    /** {@return where a run of at least {@code bytes} begins, or -1 if there is none now} */
    long take(long bytes) {
        int wanted = slotsOf(bytes);
        int from = used.nextClearBit(0);
        while (from + wanted <= slots) {
            int end = used.nextSetBit(from);
            if (end < 0 || end - from >= wanted) {
                used.set(from, from + wanted);
                return (long) from * SLOT_BYTES;
            }
            from = used.nextClearBit(end);
        }
        return -1;
    }

    /** Gives back what {@link #take} gave. */
    void free(long offset, long bytes) {
        int from = (int) (offset / SLOT_BYTES);
        used.clear(from, from + slotsOf(bytes));
    }

    private static int slotsOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, SLOT_BYTES));
    }

    @Override
    public void close() {
        try {
            owner.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("closing memory threw a checked exception", e);
        }
    }
}
