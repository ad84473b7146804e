package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.FileHandle;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A range of an object that is kept, in a file that can be read.
 *
 * <p>Owner: who found it; it holds the file open. Threads: one.
 */
public final class KeptRange implements AutoCloseable {
    private final DiskCache cache;
    private final OpenEntry entry;
    private final boolean isCurrent;
    private final long from; // in the object
    private final long bytes;
    private final int[] checks;

    /** Takes the entry, which is retained. */
    KeptRange(
            DiskCache cache,
            OpenEntry entry,
            boolean isCurrent,
            long from,
            long bytes,
            int[] checks) {
        this.cache = cache;
        this.entry = entry;
        this.isCurrent = isCurrent;
        this.from = from;
        this.bytes = bytes;
        this.checks = checks;
    }

    /**
     * {@return whether it can be read; if not, the server has to be asked for the version first}
     */
    public boolean isCurrent() {
        return isCurrent;
    }

    /** {@return the file} */
    public FileHandle file() {
        return entry.file();
    }

    /** {@return the offset of the range in the file, in bytes} */
    public long fileOffset() {
        return entry.header().dataAt(from);
    }

    /** {@return the length of the range, in bytes} */
    public long bytes() {
        return bytes;
    }

    /** {@return how many bytes have to be asked for, as the file's alignment requires} */
    public long bytesToRead() {
        return file().alignment() == 1 ? bytes : EntryHeader.blockEnd(bytes);
    }

    /** {@return the version of the object} */
    public KeptVersion version() {
        return entry.header().version();
    }

    /**
     * {@return whether these are the bytes that were kept; if not, the cache counts that} A block
     * is compared when this process reads it for the first time: it may be torn. From then on only
     * its length is compared, as of any file.
     *
     * @param read what the file has, which may be less
     */
    public boolean isIntact(MemorySegment read) {
        boolean isIntact = read.byteSize() >= bytes && (areIntact() || compare(read));
        if (isIntact) {
            cache.found(bytes);
        } else {
            cache.damaged(entry);
        }
        return isIntact;
    }

    private boolean areIntact() {
        return entry.areIntact(from / EntryHeader.BLOCK_BYTES, checks.length);
    }

    private boolean compare(MemorySegment read) {
        boolean isIntact = Arrays.equals(new BlockCheck().of(read.asSlice(0, bytes)), checks);
        if (isIntact) {
            entry.setIntact(from / EntryHeader.BLOCK_BYTES, checks);
        }
        return isIntact;
    }

    @Override
    public void close() {
        entry.file().release();
    }
}
