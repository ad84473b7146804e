package io.zarrengine.zarr.diskcache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The check of a block: its CRC-32C, or 1 where that is 0, because 0 says that it is not kept. */
final class BlockCheck {
    static final int ABSENT = 0;

    /** A buffer has at most 2 GiB. */
    private static final long BUFFER_BYTES = 1L << 30;

    private final CRC32C crc = new CRC32C();

    /**
     * {@return the checks of consecutive blocks}
     *
     * @param bytes of the blocks, the last of which may be short
     */
    int[] of(MemorySegment bytes) {
        int[] checks = new int[(int) Math.ceilDiv(bytes.byteSize(), EntryHeader.BLOCK_BYTES)];
        int i = 0;
        for (long from = 0; from < bytes.byteSize(); from += BUFFER_BYTES) {
            long length = Math.min(BUFFER_BYTES, bytes.byteSize() - from);
            ByteBuffer part = bytes.asSlice(from, length).asByteBuffer();
            while (part.position() < length) {
                part.limit(Math.min((int) length, part.position() + EntryHeader.BLOCK_BYTES));
                checks[i++] = next(part);
            }
        }
        return checks;
    }

    private int next(ByteBuffer block) {
        crc.reset();
        crc.update(block);
        int value = (int) crc.getValue();
        return value == ABSENT ? 1 : value;
    }
}
