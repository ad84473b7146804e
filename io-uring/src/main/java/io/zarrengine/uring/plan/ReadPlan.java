package io.zarrengine.uring.plan;

import java.util.Arrays;

/**
 * Wanted ranges of files, and the reads that bring them.
 *
 * <p>A <em>range</em> is what somebody wants. A <em>read</em> is what is asked of the file. A
 * <em>part</em> is the common piece of one range and one read: fused ranges are several parts of
 * one read, a range that was cut has a part in each of several reads. Reads are in the order of
 * file and offset, the parts of a read in the order of their offsets.
 *
 * <p>Everything lies in flat arrays that {@link #clear} keeps: planning again allocates nothing.
 * Units: bytes. Owner: one thread while it is filled and arranged; any number may read it after.
 */
public final class ReadPlan {
    /** Offsets stay below this: sums of two never overflow. */
    private static final long OFFSET_MAX = 1L << 62;

    private static final int LENGTH_MIN = 16;

    private int[] rangeFiles;
    private long[] rangeOffsets;
    private long[] rangeBytes;
    private int rangeCount;

    private int[] partRanges;
    private long[] partOffsets;
    private long[] partBytes;
    private int partCount;

    private int[] readFiles;
    private long[] readOffsets;
    private long[] readEnds;
    private int[] readParts; // the first part of each, and an end
    private int readCount;

    private final RangeOrder order = new RangeOrder();
    private long wantedBytes;
    private long readBytes;

    /** Creates an empty plan. */
    public ReadPlan() {
        this(LENGTH_MIN);
    }

    /**
     * Creates an empty plan.
     *
     * @param ranges how many to expect, {@code >= 0}; more are no error, they cost a copy
     */
    public ReadPlan(int ranges) {
        rangeFiles = new int[ranges];
        rangeOffsets = new long[ranges];
        rangeBytes = new long[ranges];
        partRanges = new int[ranges];
        partOffsets = new long[ranges];
        partBytes = new long[ranges];
        readFiles = new int[ranges];
        readOffsets = new long[ranges];
        readEnds = new long[ranges];
        readParts = new int[ranges + 1];
    }

    /** Forgets the ranges and keeps the memory. */
    public void clear() {
        rangeCount = 0;
        partCount = 0;
        readCount = 0;
        wantedBytes = 0;
        readBytes = 0;
    }

    /**
     * Adds a wanted range.
     *
     * @param file a number, {@code >= 0}; the plan only compares it
     * @param offset where the range begins in the file
     * @param bytes its length, {@code > 0}
     * @return its number: 0, 1, 2 ...
     * @throws IllegalArgumentException if a number is out of range
     */
    public int add(int file, long offset, long bytes) {
        if (file < 0 || offset < 0 || bytes <= 0 || bytes > OFFSET_MAX - offset) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " of file " + file);
        }
        if (rangeCount == rangeFiles.length) {
            int length = grown(rangeCount);
            rangeFiles = Arrays.copyOf(rangeFiles, length);
            rangeOffsets = Arrays.copyOf(rangeOffsets, length);
            rangeBytes = Arrays.copyOf(rangeBytes, length);
        }
        rangeFiles[rangeCount] = file;
        rangeOffsets[rangeCount] = offset;
        rangeBytes[rangeCount] = bytes;
        wantedBytes += bytes;
        return rangeCount++;
    }

    /**
     * Makes the reads, from all ranges added since {@link #clear}.
     *
     * @param rule when to fuse and to cut
     */
    public void arrange(FuseRule rule) {
        int[] sorted = order.sort(rangeFiles, rangeOffsets, rangeCount);
        partCount = 0;
        readCount = 0;
        for (int i = 0; i < rangeCount; i++) {
            int range = sorted[i];
            if (!joinsLastRead(range, rule)) {
                beginReads(range, rule);
            }
        }
        readParts[readCount] = partCount;
        readBytes = 0;
        for (int read = 0; read < readCount; read++) {
            readBytes += bytes(read);
        }
    }

    /** Makes a range part of the last read, if the rule allows. */
    private boolean joinsLastRead(int range, FuseRule rule) {
        int last = readCount - 1;
        if (last < 0 || readFiles[last] != rangeFiles[range]) {
            return false;
        }
        long offset = rangeOffsets[range];
        long end = Math.max(readEnds[last], up(offset + rangeBytes[range], rule.alignment()));
        // A read that begins inside the last part of a cut range would have to reach back.
        if (down(offset, rule.alignment()) - readEnds[last] > rule.gapBytes()
                || end - readOffsets[last] > rule.fusedBytesMax()
                || offset < readOffsets[last]) {
            return false;
        }
        readEnds[last] = end;
        addPart(range, offset, rangeBytes[range]);
        return true;
    }

    /** Begins one read for a range, or several if it is long. */
    private void beginReads(int range, FuseRule rule) {
        long offset = rangeOffsets[range];
        long end = offset + rangeBytes[range];
        do {
            long readOffset = down(offset, rule.alignment());
            long readEnd = Math.min(up(end, rule.alignment()), readOffset + rule.readBytesMax());
            addRead(rangeFiles[range], readOffset, readEnd);
            long partEnd = Math.min(end, readEnd);
            addPart(range, offset, partEnd - offset);
            offset = partEnd;
        } while (offset < end);
    }

    private void addRead(int file, long offset, long end) {
        if (readCount == readFiles.length) {
            int length = grown(readCount);
            readFiles = Arrays.copyOf(readFiles, length);
            readOffsets = Arrays.copyOf(readOffsets, length);
            readEnds = Arrays.copyOf(readEnds, length);
            readParts = Arrays.copyOf(readParts, length + 1);
        }
        readFiles[readCount] = file;
        readOffsets[readCount] = offset;
        readEnds[readCount] = end;
        readParts[readCount++] = partCount;
    }

    private void addPart(int range, long offset, long bytes) {
        if (partCount == partRanges.length) {
            int length = grown(partCount);
            partRanges = Arrays.copyOf(partRanges, length);
            partOffsets = Arrays.copyOf(partOffsets, length);
            partBytes = Arrays.copyOf(partBytes, length);
        }
        partRanges[partCount] = range;
        partOffsets[partCount] = offset;
        partBytes[partCount++] = bytes;
    }

    private static int grown(int length) {
        return length + Math.max(length >> 1, 1);
    }

    private static long down(long offset, int alignment) {
        return offset & -alignment;
    }

    private static long up(long offset, int alignment) {
        return (offset + alignment - 1) & -alignment;
    }

    /** {@return how many ranges were added} */
    public int rangeCount() {
        return rangeCount;
    }

    /**
     * {@return the length of a range}
     *
     * @param range its number, from {@link #add}
     */
    public long rangeBytes(int range) {
        return rangeBytes[range];
    }

    /** {@return how many reads there are} */
    public int readCount() {
        return readCount;
    }

    /**
     * {@return the file of a read}
     *
     * @param read less than {@link #readCount}
     */
    public int file(int read) {
        return readFiles[read];
    }

    /**
     * {@return where a read begins in its file}
     *
     * @param read less than {@link #readCount}
     */
    public long offset(int read) {
        return readOffsets[read];
    }

    /**
     * {@return the length of a read; aligned, it may reach behind the end of the file}
     *
     * @param read less than {@link #readCount}
     */
    public long bytes(int read) {
        return readEnds[read] - readOffsets[read];
    }

    /**
     * {@return the first part of a read}
     *
     * @param read less than {@link #readCount}
     */
    public int firstPart(int read) {
        return readParts[read];
    }

    /**
     * {@return behind the last part of a read}
     *
     * @param read less than {@link #readCount}
     */
    public int endPart(int read) {
        return readParts[read + 1];
    }

    /**
     * {@return the range of a part}
     *
     * @param part from {@link #firstPart}
     */
    public int range(int part) {
        return partRanges[part];
    }

    /**
     * {@return where a part begins in the file}
     *
     * @param part from {@link #firstPart}
     */
    public long partOffset(int part) {
        return partOffsets[part];
    }

    /**
     * {@return the length of a part}
     *
     * @param part from {@link #firstPart}
     */
    public long partBytes(int part) {
        return partBytes[part];
    }

    /**
     * {@return where a part begins in its range}
     *
     * @param part from {@link #firstPart}
     */
    public long offsetInRange(int part) {
        return partOffsets[part] - rangeOffsets[partRanges[part]];
    }

    /** {@return the lengths of all ranges} */
    public long wantedBytes() {
        return wantedBytes;
    }

    /** {@return the lengths of all reads} */
    public long readBytes() {
        return readBytes;
    }

    /**
     * {@return bytes read for each byte wanted: more than 1 by gaps and alignment, less by ranges
     * that overlap; 1 if there is nothing to read}
     */
    public double amplification() {
        return wantedBytes == 0 ? 1 : (double) readBytes / wantedBytes;
    }
}
