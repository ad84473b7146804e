package io.zarrengine.uring.reading;

import java.util.BitSet;

/**
 * Allocates runs of slots in some memory. The first run that fits is taken, so that a few bytes in
 * flight stay in the cache. Owner: the memory's.
 */
public final class SlotRuns {
    private final int slots;
    private final int slotBytes;
    private final BitSet used = new BitSet();
    private long usedBytes;

    /**
     * Creates an allocator; all slots are free.
     *
     * @param slots number of slots
     * @param slotBytes size of a slot in bytes
     */
    public SlotRuns(int slots, int slotBytes) {
        this.slots = slots;
        this.slotBytes = slotBytes;
    }

    /** {@return the number of slots that hold this many bytes} */
    static int slotsOf(long bytes, int slotBytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, slotBytes));
    }

    /** {@return the memory in use, in bytes of whole slots} */
    public long usedBytes() {
        return usedBytes;
    }

    /**
     * {@return the offset of a run, in bytes, or -1 if no run is free now}
     *
     * @param bytes least length of the run
     */
    public long take(long bytes) {
        int wanted = slotsOf(bytes, slotBytes);
        int from = used.nextClearBit(0);
        while (from + wanted <= slots) {
            int end = used.nextSetBit(from);
            if (end < 0 || end - from >= wanted) {
                used.set(from, from + wanted);
                usedBytes += (long) wanted * slotBytes;
                return (long) from * slotBytes;
            }
            from = used.nextClearBit(end);
        }
        return -1;
    }

    /**
     * Frees a run from {@link #take}.
     *
     * @param offset of the run
     * @param bytes the length passed to {@code take}
     */
    public void free(long offset, long bytes) {
        int from = (int) (offset / slotBytes);
        int freed = slotsOf(bytes, slotBytes);
        used.clear(from, from + freed);
        usedBytes -= (long) freed * slotBytes;
    }
}
