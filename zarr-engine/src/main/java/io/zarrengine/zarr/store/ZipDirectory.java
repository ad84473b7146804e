package io.zarrengine.zarr.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the central directory of a zip file, including zip64. If several entries have the same
 * name, the last one counts, because zarr-python only appends to zip files. Names are read as
 * UTF-8.
 *
 * @see <a href="https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT">APPNOTE 6.3</a>, 4.3
 */
final class ZipDirectory {
    static final int HEADER_SIGNATURE = 0x04034b50;
    static final int HEADER_BYTES = 30; // size of a local header without the name and extra fields
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int COMMENT_BYTES_MAX = 0xffff;
    private static final int END64_LOCATOR_SIGNATURE = 0x07064b50;
    private static final int END64_LOCATOR_BYTES = 20;
    private static final int END64_SIGNATURE = 0x06064b50;
    private static final int END64_BYTES = 56;
    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int ENTRY_BYTES = 46;
    private static final int EXTRA_64 = 1; // header ID of the extra field with 64-bit sizes
    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;
    private static final int BLOCK_BYTES = 256 << 10; // larger than any entry

    /** A reader of parts of the file. */
    @FunctionalInterface
    interface Part {
        /** Reads {@code bytes} bytes at {@code offset}. The range must be inside the file. */
        byte[] read(long offset, int bytes) throws IOException;
    }

    /**
     * The place of the directory: {@code bytes} at {@code offset}. The offsets in its entries are
     * relative to {@code base}.
     */
    private record Place(long offset, long bytes, long base) {}

    private final Part file;
    private final long byteSize;
    private ByteBuffer block =
            ByteBuffer.allocate(0); // bytes of the directory that were read and not parsed yet

    private ZipDirectory(Part file, long byteSize) {
        this.file = file;
        this.byteSize = byteSize;
    }

    /**
     * {@return the entries of a zip file, by name; empty if the file is not a zip file}
     *
     * @param file reads the file
     * @param byteSize its size in bytes
     * @throws IOException if it cannot be read, is inconsistent, or only begins like a zip file
     */
    static Optional<NavigableMap<String, ZipEntry>> read(Part file, long byteSize)
            throws IOException {
        return new ZipDirectory(file, byteSize).read();
    }

    private Optional<NavigableMap<String, ZipEntry>> read() throws IOException {
        int tailBytes = (int) Math.min(byteSize, END_BYTES + COMMENT_BYTES_MAX);
        ByteBuffer tail = read(byteSize - tailBytes, tailBytes);
        for (int at = tailBytes - END_BYTES; at >= 0; at--) {
            boolean isEnd =
                    tail.getInt(at) == END_SIGNATURE
                            && unsignedShort(tail, at + 20) == tailBytes - END_BYTES - at;
            if (isEnd) {
                return Optional.of(entries(place(byteSize - tailBytes + at)));
            }
        }
        if (byteSize >= HEADER_BYTES && read(0, Integer.BYTES).getInt(0) == HEADER_SIGNATURE) {
            throw new IOException("begins as a zip file, and does not end as one");
        }
        return Optional.empty();
    }

    private ByteBuffer read(long offset, int bytes) throws IOException {
        return littleEndian(file.read(offset, bytes));
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int unsignedShort(ByteBuffer buffer, int at) {
        return Short.toUnsignedInt(buffer.getShort(at));
    }

    private static long unsignedInt(ByteBuffer buffer, int at) {
        return Integer.toUnsignedLong(buffer.getInt(at));
    }

    /** Finds the directory; {@code endOffset} is the offset of the end record. */
    private Place place(long endOffset) throws IOException {
        long locatorOffset = endOffset - END64_LOCATOR_BYTES;
        if (locatorOffset >= 0) {
            ByteBuffer locator = read(locatorOffset, END64_LOCATOR_BYTES);
            if (locator.getInt(0) == END64_LOCATOR_SIGNATURE) {
                return place64(end64Offset(locator.getLong(8), locatorOffset));
            }
        }
        ByteBuffer end = read(endOffset, END_BYTES);
        requireOneFile(unsignedShort(end, 4), unsignedShort(end, 6));
        return place(endOffset, unsignedInt(end, 16), unsignedInt(end, 12));
    }

    /**
     * Finds the zip64 end record. If other bytes precede the zip file, the stated offset is wrong,
     * and the record is directly before its locator.
     */
    private long end64Offset(long offset, long locatorOffset) throws IOException {
        for (long at : new long[] {offset, locatorOffset - END64_BYTES}) {
            boolean isInside = at >= 0 && at <= locatorOffset - END64_BYTES;
            if (isInside && read(at, END64_BYTES).getInt(0) == END64_SIGNATURE) {
                return at;
            }
        }
        throw new IOException("has no end record of 64 bits at " + offset);
    }

    private Place place64(long end64Offset) throws IOException {
        ByteBuffer end = read(end64Offset, END64_BYTES);
        requireOneFile(end.getInt(16), end.getInt(20));
        return place(end64Offset, end.getLong(48), end.getLong(40));
    }

    private static void requireOneFile(int number, int ofDirectory) throws IOException {
        if (number != 0 || ofDirectory != 0) {
            throw new IOException("is one of several parts of a zip file");
        }
    }

    /** Corrects the directory's offset for bytes before the zip file, such as a program. */
    private static Place place(long end, long offset, long bytes) throws IOException {
        if (bytes < 0 || offset < 0 || bytes > end || offset > end - bytes) {
            throw new IOException(
                    "its directory of " + bytes + " bytes at " + offset + " lies outside of it");
        }
        long at = end - bytes;
        return new Place(at, bytes, at - offset);
    }

    private NavigableMap<String, ZipEntry> entries(Place place) throws IOException {
        NavigableMap<String, ZipEntry> entries = new TreeMap<>();
        long end = place.offset + place.bytes;
        long next = place.offset; // end of the block in the file
        ZipEntry last = null;
        while (block.remaining() > 0 || next < end) {
            if (block.remaining() < BLOCK_BYTES && next < end) {
                byte[] left = new byte[block.remaining()];
                block.get(left);
                int more = (int) Math.min(2 * BLOCK_BYTES, end - next);
                block = ByteBuffer.allocate(left.length + more).order(ByteOrder.LITTLE_ENDIAN);
                block.put(left).put(file.read(next, more)).flip();
                next += more;
            }
            ZipEntry entry = nextEntry(place.base, next - block.remaining());
            entries.put(entry.name(), entry);
            if (last != null) { // Most directories are in the order of the file.
                last.endsBefore(entry.headerOffset(), place.base == 0);
            }
            last = entry;
        }
        if (last != null) {
            last.endsBefore(place.offset, place.base == 0);
        }
        return Collections.unmodifiableNavigableMap(entries);
    }

    private ByteBuffer take(int bytes) throws IOException {
        if (bytes > block.remaining()) {
            throw new EOFException("its directory ends within an entry");
        }
        ByteBuffer taken = block.slice(block.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        block.position(block.position() + bytes);
        return taken;
    }

    /** Parses an entry; {@code at} is its offset, for messages. */
    private ZipEntry nextEntry(long base, long at) throws IOException {
        ByteBuffer fixed = take(ENTRY_BYTES);
        if (fixed.getInt(0) != ENTRY_SIGNATURE) {
            throw new IOException("its directory holds no entry at " + at);
        }
        int nameBytes = unsignedShort(fixed, 28);
        String name = StandardCharsets.UTF_8.decode(take(nameBytes)).toString();
        ByteBuffer longs = longs(take(unsignedShort(fixed, 30)));
        take(unsignedShort(fixed, 32)); // the comment
        // Numbers that do not fit in 32 bits follow in the extra field, in this order.
        long bytes = orLong(unsignedInt(fixed, 24), longs);
        long stored = orLong(unsignedInt(fixed, 20), longs);
        long offset = orLong(unsignedInt(fixed, 42), longs);
        long room = byteSize - base - HEADER_BYTES - nameBytes;
        if (bytes < 0 || stored < 0 || offset < 0 || stored > room || offset > room - stored) {
            throw new IOException(
                    "its directory says that " + name + " lies outside of it, at " + offset);
        }
        var sizes = new ZipEntry.Sizes(stored, bytes, fixed.getInt(16));
        int method = unsignedShort(fixed, 10);
        int flags = unsignedShort(fixed, 8);
        ZipEntry entry = new ZipEntry(name, nameBytes, base + offset, sizes, method, flags);
        entry.endsBefore(byteSize, false);
        return entry;
    }

    /** Returns -1 if the 64-bit number is missing or has more than 63 bits. */
    private static long orLong(long number, ByteBuffer longs) {
        if (number != UNSIGNED_INT_MAX) {
            return number;
        }
        return longs.remaining() < Long.BYTES ? -1 : longs.getLong();
    }

    private static ByteBuffer longs(ByteBuffer extra) {
        while (extra.remaining() >= 2 * Short.BYTES) {
            int id = Short.toUnsignedInt(extra.getShort());
            int bytes = Math.min(Short.toUnsignedInt(extra.getShort()), extra.remaining());
            if (id == EXTRA_64) {
                return extra.slice(extra.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
            }
            extra.position(extra.position() + bytes);
        }
        return ByteBuffer.allocate(0);
    }
}
