package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The state of each read in flight, by slot, in flat arrays, so that a read allocates nothing.
 *
 * <p>The kernel gets slot numbers, not pointers: a completion for a slot that is not in use fails a
 * check and does not touch freed memory.
 */
final class ReadSlots {
    /** One system call moves no more than 0x7ffff000 bytes. */
    private static final long PIECES_BYTES_MAX = 1L << 30;

    private final int[] fileNumbers;
    private final long[] fileOffsets; // of the next byte to read
    private final MemorySegment[] memories; // null in a free slot
    private final List<List<MemorySegment>> pieces; // null: one piece, in memories
    private final long[] memoryOffsets; // of the next byte to write
    private final long[] bytesLeft;
    private final long[] results; // bytes read so far, or -errno
    private final int[] tokens;
    private final int[] retriesInARow;
    private final int[] alignments; // of the file
    private final long[] fileEnds; // the file's length when it was opened
    private final long[] shortEnds; // file offset at which a direct read was short last

    private final int[] free; // a stack
    private int freeCount;

    ReadSlots(int capacity) {
        fileNumbers = new int[capacity];
        fileOffsets = new long[capacity];
        memories = new MemorySegment[capacity];
        pieces = new ArrayList<>(Collections.nCopies(capacity, null));
        memoryOffsets = new long[capacity];
        bytesLeft = new long[capacity];
        results = new long[capacity];
        tokens = new int[capacity];
        retriesInARow = new int[capacity];
        alignments = new int[capacity];
        fileEnds = new long[capacity];
        shortEnds = new long[capacity];
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
            FileHandle file,
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
        checkIsAligned(file, fileOffset, bytes, memory.address() + memoryOffset);
        int slot = free[--freeCount];
        alignments[slot] = file.alignment();
        fileEnds[slot] = file.byteSize();
        shortEnds[slot] = -1;
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

    int takeScattered(
            FileHandle file, int fileNumber, long fileOffset, List<MemorySegment> all, int token) {
        List<MemorySegment> wanted = List.copyOf(all);
        if (wanted.isEmpty() || wanted.size() > ReadQueue.PIECES_MAX) {
            throw new IllegalArgumentException(wanted.size() + " pieces");
        }
        long bytes = 0;
        for (MemorySegment piece : wanted) {
            bytes += piece.byteSize();
            checkIsAligned(file, fileOffset, piece.byteSize(), piece.address());
            if (piece.byteSize() == 0 || bytes > PIECES_BYTES_MAX) {
                throw new IllegalArgumentException("pieces of " + wanted);
            }
        }
        MemorySegment first = wanted.getFirst();
        int slot = take(file, fileNumber, fileOffset, first, 0, first.byteSize(), token);
        bytesLeft[slot] = bytes;
        pieces.set(slot, wanted);
        return slot;
    }

    private static void checkIsAligned(FileHandle file, long offset, long bytes, long address) {
        if (((offset | bytes | address) & (file.alignment() - 1)) != 0) {
            throw new IllegalArgumentException(
                    "a direct read needs multiples of %d: %d bytes at %d to address 0x%x"
                            .formatted(file.alignment(), bytes, offset, address));
        }
    }

    /**
     * Records a result from the kernel.
     *
     * @return whether the read must go on: it was short, interrupted or refused for now
     */
    boolean advance(int slot, int result, int retriesMax) {
        if (memories[slot] == null) {
            throw new IllegalStateException("completion for slot " + slot + ", which is free");
        }
        if (result > 0) {
            assert result <= bytesLeft[slot] : "read too much: " + result;
            boolean asWished = alignments[slot] == 1 || result == bytesLeft[slot];
            return asWished ? move(slot, result) : moveAligned(slot, result, retriesMax);
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

    private boolean move(int slot, int bytes) {
        fileOffsets[slot] += bytes;
        memoryOffsets[slot] += bytes;
        bytesLeft[slot] -= bytes;
        results[slot] += bytes;
        retriesInARow[slot] = 0;
        return bytesLeft[slot] > 0;
    }

    /**
     * Handles a short direct read. The rest may begin only at a multiple of the alignment, so the
     * last block is read again. If two reads end at the same offset, the file ends there.
     */
    private boolean moveAligned(int slot, int bytes, int retriesMax) {
        long end = fileOffsets[slot] + bytes;
        int whole = bytes & -alignments[slot];
        if (end == fileEnds[slot] || end == shortEnds[slot] || retriesInARow[slot] == retriesMax) {
            results[slot] += bytes;
            return false;
        }
        shortEnds[slot] = end;
        if (whole == 0) {
            retriesInARow[slot]++;
            return true;
        }
        return move(slot, whole);
    }

    /** Sets the result of a read that cannot go on. */
    void fail(int slot, long result) {
        results[slot] = result;
    }

    void release(int slot) {
        memories[slot] = null;
        pieces.set(slot, null);
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

    /** {@return the pieces of a scattered read; null for another read} */
    List<MemorySegment> pieces(int slot) {
        return pieces.get(slot);
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
