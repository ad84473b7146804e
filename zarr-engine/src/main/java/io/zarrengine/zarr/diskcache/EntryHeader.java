package io.zarrengine.zarr.diskcache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first block of a file of the cache. Little-endian:
 *
 * <ul>
 *   <li>0: magic number and version of the format
 *   <li>8: CRC-32C of the bytes from 12 to the end of the version
 *   <li>12: length of the name, 16: length of the version, 24: size of the object, 32: name,
 *       version
 *   <li>{@link #CONFIRMED_AT}: when the server last said that this is the current version, in ms
 *       since the epoch; and the CRC-32C of these 8 bytes
 * </ul>
 *
 * <p>The table of the blocks follows: for each block of the object its {@link BlockCheck}. Then
 * come the blocks.
 *
 * @param name the store and the key
 * @param version of the object
 * @param confirmedMillis ms since the epoch; 0 if it was never confirmed, or that is damaged
 */
record EntryHeader(String name, KeptVersion version, long confirmedMillis) {
    /** The unit of what is kept; also the alignment of direct reads. */
    static final int BLOCK_BYTES = 4096;

    static final int CONFIRMED_AT = BLOCK_BYTES - 16;
    static final int CHECK_BYTES = Integer.BYTES;

    private static final long MAGIC = 0x0001_4548_4341_435aL; // "ZCACHE", version 1
    private static final int CHECKED_FROM = 12;
    private static final int TEXT_AT = 32;

    /** No file system of Linux has larger files. */
    private static final long OBJECT_BYTES_MAX = 1L << 43;

    /** {@return whether an object can be kept} */
    boolean fits() {
        int textBytes = utf8(name).length + utf8(version.token()).length;
        return version.isStrong()
                && version.objectBytes() > 0
                && version.objectBytes() <= OBJECT_BYTES_MAX
                && TEXT_AT + textBytes <= CONFIRMED_AT;
    }

    /** {@return the block} */
    ByteBuffer encode() {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        byte[] nameBytes = utf8(name);
        byte[] versionBytes = utf8(version.token());
        block.putLong(0, MAGIC);
        block.putInt(12, nameBytes.length).putInt(16, versionBytes.length);
        block.putLong(24, version.objectBytes());
        block.put(TEXT_AT, nameBytes).put(TEXT_AT + nameBytes.length, versionBytes);
        int end = TEXT_AT + nameBytes.length + versionBytes.length;
        block.putInt(8, crc(block, CHECKED_FROM, end));
        block.put(CONFIRMED_AT, confirmation(confirmedMillis), 0, 12);
        return block;
    }

    /** {@return the bytes at {@link #CONFIRMED_AT}} */
    static ByteBuffer confirmation(long millis) {
        ByteBuffer both = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        both.putLong(0, millis);
        return both.putInt(8, crc(both, 0, Long.BYTES));
    }

    /**
     * {@return the header; empty if the block is none}
     *
     * @param bytes any bytes
     */
    static Optional<EntryHeader> parse(byte[] bytes) {
        ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < BLOCK_BYTES || block.getLong(0) != MAGIC) {
            return Optional.empty();
        }
        int nameLength = block.getInt(12);
        int versionLength = block.getInt(16);
        int textMax = CONFIRMED_AT - TEXT_AT;
        if (nameLength < 0
                || versionLength <= 0
                || nameLength > textMax
                || versionLength > textMax - nameLength) {
            return Optional.empty();
        }
        int versionAt = TEXT_AT + nameLength;
        int end = versionAt + versionLength;
        if (block.getInt(8) != crc(block, CHECKED_FROM, end)) {
            return Optional.empty();
        }
        EntryHeader header =
                new EntryHeader(
                        text(bytes, TEXT_AT, versionAt),
                        new KeptVersion(text(bytes, versionAt, end), block.getLong(24)),
                        confirmed(block));
        return header.fits() ? Optional.of(header) : Optional.empty();
    }

    private static long confirmed(ByteBuffer block) {
        boolean isWhole =
                block.getInt(CONFIRMED_AT + 8) == crc(block, CONFIRMED_AT, CONFIRMED_AT + 8);
        return isWhole ? block.getLong(CONFIRMED_AT) : 0;
    }

    boolean isOf(EntryHeader other) {
        return name.equals(other.name) && version.equals(other.version);
    }

    /** {@return the number of blocks of the object} */
    long blocks() {
        return Math.ceilDiv(version.objectBytes(), BLOCK_BYTES);
    }

    /** {@return the offset of a block's check in the file} */
    static long checkAt(long block) {
        return BLOCK_BYTES + block * CHECK_BYTES;
    }

    /** {@return the offset of the object's byte in the file} */
    long dataAt(long offset) {
        return EntryHeader.blockEnd(checkAt(blocks())) + offset;
    }

    /** {@return an offset, or the next one at which a block begins} */
    static long blockEnd(long offset) {
        return (offset + BLOCK_BYTES - 1) & -BLOCK_BYTES;
    }

    private static int crc(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(from).limit(to));
        return (int) crc.getValue();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.UTF_8);
    }
}
