package io.zarrengine.zarr.store;

import java.io.IOException;

/**
 * Reads a zip file for {@link ZipDirectory} with few requests: its end is there already, and what
 * lies before is read ahead. Owner: one thread.
 */
final class ZipTail implements ZipDirectory.Part {
    /** A directory is read in order; its blocks alone would each wait for an answer. */
    private static final int AHEAD_TIMES = 16;

    private final byte[] tail;
    private final long tailOffset;
    private final ZipDirectory.Part file;
    private byte[] ahead = {};
    private long aheadOffset;

    /** {@code tail}: the last bytes of a file of {@code fileBytes}. */
    ZipTail(byte[] tail, long fileBytes, ZipDirectory.Part file) {
        this.tail = tail;
        this.tailOffset = fileBytes - tail.length;
        this.file = file;
    }

    @Override
    public byte[] read(long offset, int bytes) throws IOException {
        byte[] read = new byte[bytes];
        int before = Math.clamp(tailOffset - offset, 0, bytes);
        int done = 0;
        while (done < before) {
            done += copyAhead(offset + done, read, done, before - done);
        }
        if (before < bytes) {
            int from = Math.toIntExact(offset + before - tailOffset);
            System.arraycopy(tail, from, read, before, bytes - before);
        }
        return read;
    }

    /** Copies what there is at an offset before the tail; {@return how many bytes, at least one} */
    private int copyAhead(long offset, byte[] to, int at, int bytes) throws IOException {
        if (offset < aheadOffset || offset >= aheadOffset + ahead.length) {
            long more = Math.min((long) bytes * AHEAD_TIMES, tailOffset - offset);
            ahead = file.read(offset, (int) more);
            aheadOffset = offset;
        }
        int from = (int) (offset - aheadOffset);
        int there = Math.min(bytes, ahead.length - from);
        System.arraycopy(ahead, from, to, at, there);
        return there;
    }
}
