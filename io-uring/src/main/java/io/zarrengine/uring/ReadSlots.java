package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What is known of each read in flight, by slot, in flat arrays: a read allocates nothing.
 *
 * <p>Slots, not pointers, travel through the kernel: a completion for a slot that is not in use
 * hits a check and not freed memory.
 */
final class ReadSlots {
    private final int[] fileNumbers;
    private final long[] fileOffsets; // of the next byte to read
    private final MemorySegment[] memories; // null in a slot that is free
    private final long[] memoryOffsets; // of the next byte to write
    private final long[] bytesLeft;
    private final long[] results; // bytes read so far, or -errno
    private final int[] tokens;
    private final int[] retriesInARow;

    private final int[] free; // a stack
    private int freeCount;

    ReadSlots(int capacity) {
        fileNumbers = new int[capacity];
        fileOffsets = new long[capacity];
        memories = new MemorySegment[capacity];
        memoryOffsets = new long[capacity];
        bytesLeft = new long[capacity];
        results = new long[capacity];
        tokens = new int[capacity];
        retriesInARow = new int[capacity];
        free = new int[capacity];
        Arrays.setAll(free, i -> capacity - 1 - i); // Slot 0 is taken first.
        freeCount = capacity;
    }

    int capacity() {
        return free.length;
    }

    int inUse() {
        return free.length - freeCount;
    }

    int take(
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            long bytes,
            int token) {
        if (freeCount == 0) {
            throw new IllegalStateException(capacity() + " reads are in flight");
        }
        if (fileOffset < 0 || bytes <= 0 || bytes > memory.byteSize() - memoryOffset) {
            throw new IllegalArgumentException(
                    bytes
                            + " bytes at "
                            + fileOffset
                            + " to offset "
                            + memoryOffset
                            + " of "
                            + memory.byteSize());
        }
        int slot = free[--freeCount];
        fileNumbers[slot] = fileNumber;
        fileOffsets[slot] = fileOffset;
        memories[slot] = memory;
        memoryOffsets[slot] = memoryOffset;
        bytesLeft[slot] = bytes;
        results[slot] = 0;
        tokens[slot] = token;
        retriesInARow[slot] = 0;
        return slot;
    }

    /**
     * Notes what the kernel answered.
     *
     * @return whether the read has to go on: it was short, interrupted or refused for now
     */
    boolean advance(int slot, int result, int retriesMax) {
        if (memories[slot] == null) {
            throw new IllegalStateException("completion for slot " + slot + ", which is free");
        }
        if (result > 0) {
            assert result <= bytesLeft[slot] : "read too much: " + result;
            fileOffsets[slot] += result;
            memoryOffsets[slot] += result;
            bytesLeft[slot] -= result;
            results[slot] += result;
            retriesInARow[slot] = 0;
            return bytesLeft[slot] > 0;
        }
        boolean transientFailure = result == -Errno.EINTR || result == -Errno.EAGAIN;
        if (transientFailure && ++retriesInARow[slot] <= retriesMax) {
            return true;
        }
        if (result < 0) {
            results[slot] = result;
        }
        return false; // Failed, or at the end of the file.
    }

    /** Ends a read that cannot go on. */
    void fail(int slot, long result) {
        results[slot] = result;
    }

    void release(int slot) {
        memories[slot] = null;
        free[freeCount++] = slot;
    }

    int fileNumber(int slot) {
        return fileNumbers[slot];
    }

    long fileOffset(int slot) {
        return fileOffsets[slot];
    }

    MemorySegment memory(int slot) {
        return memories[slot];
    }

    long memoryOffset(int slot) {
        return memoryOffsets[slot];
    }

    long bytesLeft(int slot) {
        return bytesLeft[slot];
    }

    long result(int slot) {
        return results[slot];
    }

    int token(int slot) {
        return tokens[slot];
    }
}
