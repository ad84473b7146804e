package io.zarrengine.uring.reading;

import java.util.BitSet;

/**
 * Which slots of some memory are in use: they are handed out in runs. The first run that fits is
 * taken, so that few bytes in flight stay in the cache. Owner: the memory's.
 */
public final class SlotRuns {
    private final int slots;
    private final int slotBytes;
    private final BitSet used = new BitSet();
    private long usedBytes;

    /**
     * All are free.
     *
     * @param slots how many there are
     * @param slotBytes the size of each
     */
    public SlotRuns(int slots, int slotBytes) {
        this.slots = slots;
        this.slotBytes = slotBytes;
    }

    /** {@return how many slots hold so many bytes} */
    static int slotsOf(long bytes, int slotBytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, slotBytes));
    }

    /** {@return what is handed out now, in bytes of whole slots} */
    public long usedBytes() {
        return usedBytes;
    }

    /**
     * {@return where a run begins, in bytes, or -1 if there is none now}
     *
     * @param bytes how long it is at least
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
     * Gives back what {@link #take} gave.
     *
     * @param offset where the run begins
     * @param bytes what was asked for
     */
    public void free(long offset, long bytes) {
        int from = (int) (offset / slotBytes);
        int freed = slotsOf(bytes, slotBytes);
        used.clear(from, from + freed);
        usedBytes -= (long) freed * slotBytes;
    }
}
