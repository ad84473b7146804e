package io.zarrengine.zarr.diskcache;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** What a cache keeps of one object, of one version at a time. Threads: any. */
public final class KeptObject {
    private static final int FOLDER_NAME_LENGTH = 2;

    private final DiskCache cache;
    private final String name;
    private final Path path;

    /** {@code name}: the store and the key. */
    KeptObject(DiskCache cache, String name) {
        this.cache = cache;
        this.name = name;
        String hash = HexFormat.of().formatHex(sha256(name));
        this.path = cache.root().resolve(hash.substring(0, FOLDER_NAME_LENGTH)).resolve(hash);
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
     * @param version of the object; empty for the current one, which was confirmed not too long ago
     * @param offset in the object, a multiple of the block size; negative for its end
     * @param bytes length of the range; it may go beyond the end
     */
    public Optional<KeptRange> find(Optional<String> version, long offset, long bytes) {
        return blocks(version).map(blocks -> range(blocks, offset, bytes));
    }

    private KeptRange range(KeptBlocks blocks, long offset, long bytes) {
        OpenEntry entry = blocks.entry();
        long size = entry.header().objectBytes();
        long from = offset < 0 ? EntryHeader.blockEnd(Math.max(size - bytes, 0)) : offset;
        long length = Math.min(bytes, size - from);
        int[] checks =
                length <= 0
                        ? null
                        : blocks.checks(
                                from / EntryHeader.BLOCK_BYTES,
                                (int) Math.ceilDiv(length, EntryHeader.BLOCK_BYTES));
        if (checks == null) {
            blocks.close();
            return null;
        }
        return new KeptRange(cache, entry, from, length, checks);
    }

    /**
     * {@return tells which blocks are kept; the caller closes it; empty if there are none}
     *
     * @param version of the object; empty for the current one, which was confirmed not too long ago
     */
    public Optional<KeptBlocks> blocks(Optional<String> version) {
        OpenEntries entries = cache.entries();
        Optional<OpenEntry> found = entries.find(path, name);
        if (found.isPresent() && version.isEmpty() && !cache.isCurrent(found.get().header())) {
            OpenEntry known = found.get();
            entries.forget(known); // Its server may have confirmed it since.
            known.file().release();
            found = entries.find(path, name);
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        OpenEntry entry = found.get();
        boolean isWanted =
                version.map(entry.header().version()::equals)
                        .orElseGet(() -> cache.isCurrent(entry.header()));
        if (!isWanted) {
            entry.file().release();
            return Optional.empty();
        }
        return Optional.of(new KeptBlocks(entries, entry));
    }

    /**
     * Keeps what a store has read, as far as these are whole blocks. If that is not possible, the
     * cache counts it.
     *
     * @param version of the object
     * @param objectBytes its size
     * @param from where the bytes begin in the object
     * @param bytes what was read
     */
    public void keep(String version, long objectBytes, long from, MemorySegment bytes) {
        cache.missed(bytes.byteSize());
        long end = from + bytes.byteSize();
        long first = EntryHeader.blockEnd(from);
        long last = end == objectBytes ? end : end & -EntryHeader.BLOCK_BYTES;
        EntryHeader header = new EntryHeader(name, version, objectBytes, cache.nowMillis());
        boolean canBeKept = !version.isEmpty() && from >= 0 && first < last && end <= objectBytes;
        if (canBeKept && header.fits() && cache.mayWrite(last - first)) {
            MemorySegment blocks = bytes.asSlice(first - from, last - first);
            cache.write(new EntryWriter(path, header), first, blocks);
        }
    }

    /** Forgets what is kept: the store has another version. */
    public void forget() {
        cache.remove(path);
    }

    /** {@return how often files of the cache were removed; who has some open should close them} */
    public int removals() {
        return cache.removals();
    }
}
