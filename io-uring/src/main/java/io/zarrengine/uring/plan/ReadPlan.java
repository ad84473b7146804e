package io.zarrengine.uring.plan;

import java.util.Arrays;

/**
 * Wanted ranges of files, and the reads that fetch them.
 *
 * <p>A <em>range</em> is requested by the caller. A <em>read</em> is submitted to the file. A
 * <em>part</em> is the common piece of one range and one read: fused ranges are several parts of
 * one read, and a range that was cut has a part in each of several reads. Reads are in the order of
 * file and offset, the parts of a read in the order of their offsets.
 *
 * <p>All data is in flat arrays that {@link #clear} keeps, so planning again allocates nothing.
 * Units: bytes. Owner: one thread while it is filled and arranged; after that any number of threads
 * may read it.
 */
public final class ReadPlan {
    /** Limit of offsets, so that the sum of two never overflows. */
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
    private int[] readParts; // the first part of each read, and the end of the last
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
     * @param ranges number of expected ranges, {@code >= 0}; adding more costs a copy
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

    /** Removes the ranges and keeps the memory. */
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
     * @param file a file number, {@code >= 0}; the plan only compares it
     * @param offset offset of the range in the file
     * @param bytes its length, {@code > 0}
     * @return the number of the range: 0, 1, 2 ...
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
     * Plans the reads of all ranges added since {@link #clear}.
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

    /** Makes a range part of the last read, if the rule allows it. */
    private boolean joinsLastRead(int range, FuseRule rule) {
        int last = readCount - 1;
        if (last < 0 || readFiles[last] != rangeFiles[range]) {
            return false;
        }
        long offset = rangeOffsets[range];
        long end = Math.max(readEnds[last], up(offset + rangeBytes[range], rule.alignment()));
        // The last condition: the range begins before the last read of a range that was cut.
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

    /** {@return the number of ranges} */
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

    /** {@return the number of reads} */
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
     * {@return the offset of a read in its file}
     *
     * @param read less than {@link #readCount}
     */
    public long offset(int read) {
        return readOffsets[read];
    }

    /**
     * {@return the length of a read; aligned, so it may reach past the end of the file}
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
     * {@return the end of a read's parts: the last part plus 1}
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
     * {@return the offset of a part in the file}
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
     * {@return the offset of a part in its range}
     *
     * @param part from {@link #firstPart}
     */
    public long offsetInRange(int part) {
        return partOffsets[part] - rangeOffsets[partRanges[part]];
    }

    /** {@return the total length of all ranges} */
    public long wantedBytes() {
        return wantedBytes;
    }

    /** {@return the total length of all reads} */
    public long readBytes() {
        return readBytes;
    }

    /**
     * {@return bytes read for each wanted byte: gaps and alignment increase it, overlapping ranges
     * decrease it; 1 if there is nothing to read}
     */
    public double amplification() {
        return wantedBytes == 0 ? 1 : (double) readBytes / wantedBytes;
    }
}
