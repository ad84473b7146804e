package io.zarrengine.zarr.diskcache;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** The part of one object that a cache keeps, of one version at a time. Threads: any. */
public final class KeptObject {
    private static final int FOLDER_NAME_LENGTH = 2;

    private final DiskCache cache;
    private final String name;
    private final long openedMillis;
    private final Path path;

    /** {@code object}: the store and the key, which may contain secrets. */
    KeptObject(DiskCache cache, String object, long openedMillis) {
        this.cache = cache;
        this.name = HexFormat.of().formatHex(sha256(object));
        this.openedMillis = openedMillis;
        this.path = cache.root().resolve(name.substring(0, FOLDER_NAME_LENGTH)).resolve(name);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * {@return a range that is kept, which the caller closes; empty if it is not, or only a part}
     *
     * @param version of the object; empty for the one that was the current one when its server was
     *     last asked
     * @param offset in the object, a multiple of the block size; negative for its end
     * @param bytes length of the range; it may go beyond the end
     */
    public Optional<KeptRange> find(Optional<KeptVersion> version, long offset, long bytes) {
        Optional<OpenEntry> found = cache.entries().find(path, name);
        if (version.isEmpty() && found.isPresent() && !isCurrent(found.get().header())) {
            found.get().file().release();
            cache.entries().forget(path); // Its server may have been asked since.
            found = cache.entries().find(path, name);
        }
        return found.flatMap(entry -> range(blocks(entry, version), version, offset, bytes));
    }

    private boolean isCurrent(EntryHeader header) {
        return cache.isCurrent(header, openedMillis);
    }

    private Optional<KeptRange> range(
            Optional<KeptBlocks> blocks, Optional<KeptVersion> version, long offset, long bytes) {
        if (blocks.isEmpty()) {
            return Optional.empty();
        }
        EntryHeader header = blocks.get().entry().header();
        long size = header.version().objectBytes();
        long from = offset < 0 ? EntryHeader.blockEnd(Math.max(size - bytes, 0)) : offset;
        long length = Math.min(bytes, size - from);
        int[] checks =
                length <= 0
                        ? null
                        : blocks.get()
                                .checks(
                                        from / EntryHeader.BLOCK_BYTES,
                                        (int) Math.ceilDiv(length, EntryHeader.BLOCK_BYTES));
        if (checks == null) {
            blocks.get().close();
            return Optional.empty();
        }
        boolean isCurrent = version.isPresent() || isCurrent(header);
        return Optional.of(
                new KeptRange(cache, blocks.get().entry(), isCurrent, from, length, checks));
    }

    /**
     * {@return tells which blocks of a version are kept; the caller closes it; empty if there are
     * none}
     *
     * @param version of the object
     */
    public Optional<KeptBlocks> blocks(KeptVersion version) {
        return cache.entries()
                .find(path, name)
                .flatMap(entry -> blocks(entry, Optional.of(version)));
    }

    private Optional<KeptBlocks> blocks(OpenEntry entry, Optional<KeptVersion> version) {
        if (version.isPresent() && !version.get().equals(entry.header().version())) {
            entry.file().release();
            return Optional.empty();
        }
        return Optional.of(new KeptBlocks(cache.entries(), entry));
    }

    /**
     * Notes that the server has just said which version is the current one.
     *
     * @param version of the object
     */
    public void confirm(KeptVersion version) {
        EntryHeader header = new EntryHeader(name, version, cache.nowMillis());
        if (header.fits()) {
            new EntryWriter(path, header).confirm();
        }
    }

    /**
     * Keeps what a store has read, as far as these are whole blocks. If that is not possible, the
     * cache counts it.
     *
     * @param version of the object; if its token is empty or weak, nothing is kept
     * @param from where the bytes begin in the object
     * @param bytes the bytes that were read
     */
    public void keep(KeptVersion version, long from, MemorySegment bytes) {
        cache.missed(bytes.byteSize());
        long end = from + bytes.byteSize();
        long first = EntryHeader.blockEnd(from);
        long last = end == version.objectBytes() ? end : end & -EntryHeader.BLOCK_BYTES;
        EntryHeader header = new EntryHeader(name, version, cache.nowMillis());
        boolean isInside = from >= 0 && first < last && end <= version.objectBytes();
        if (isInside && header.fits() && cache.mayWrite(last - first)) {
            MemorySegment blocks = bytes.asSlice(first - from, last - first);
            cache.write(new EntryWriter(path, header), first, blocks);
        }
    }

    /** Forgets what is kept: the store has another version. */
    public void forget() {
        cache.remove(path);
    }

    /** {@return how often the cache closed files; who has some open should close them} */
    public int closings() {
        return cache.closings();
    }
}
