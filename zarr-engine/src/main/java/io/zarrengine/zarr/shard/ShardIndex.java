package io.zarrengine.zarr.shard;

import io.zarrengine.zarr.codec.Crc32cCodec;
import io.zarrengine.zarr.codec.ShardIndexCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The decoded index of one shard.
 *
 * <p>Shape: {@code (chunksPerShard, 2)}, C order, one row {@code (offset, size)} for each inner
 * chunk. Units: bytes, offsets from the start of the shard. A row of two {@code 2^64 - 1} marks a
 * chunk that was never written; it reads as the fill value. Immutable.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public final class ShardIndex {
    private static final long MISSING = -1L; // 2^64 - 1, as a signed long

    private final long[] rows; // offset of chunk i at 2i, its size at 2i + 1

    private ShardIndex(long[] rows) {
        this.rows = rows;
    }

    /**
     * Decodes and checks an index.
     *
     * @param codec how it is stored
     * @param encoded the stored index, with its checksum if it has one; copied
     * @param shardBytes size of the whole shard; every chunk must lie inside it
     * @return the index
     * @throws CodecException if the checksum does not match, or if a row reaches outside the shard
     *     or into the index; the message names the row
     */
    public static ShardIndex decode(ShardIndexCodec codec, MemorySegment encoded, long shardBytes)
            throws CodecException {
        MemorySegment payload = codec.checksum() ? new Crc32cCodec().verify(encoded) : encoded;
        long[] rows = payload.toArray(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(codec.byteOrder()));
        long indexFrom = codec.atStart() ? 0 : shardBytes - encoded.byteSize();
        long indexTo = indexFrom + encoded.byteSize();
        for (int i = 0; i < rows.length; i += 2) {
            checkRow(i / 2, rows[i], rows[i + 1], shardBytes);
            checkBesideIndex(i / 2, rows[i], rows[i + 1], indexFrom, indexTo);
        }
        return new ShardIndex(rows);
    }

    private static void checkRow(int chunk, long offset, long size, long shardBytes)
            throws CodecException {
        if (offset == MISSING && size == MISSING) {
            return;
        }
        if (offset < 0 || size < 0 || offset > shardBytes - size) {
            throw new CodecException(
                    "sharding_indexed",
                    "inner chunk "
                            + chunk
                            + " at offset "
                            + Long.toUnsignedString(offset)
                            + ", size "
                            + Long.toUnsignedString(size)
                            + ", reaches outside a shard of "
                            + shardBytes
                            + " bytes");
        }
    }

    /** Chunks may share their bytes with one another, but not with the index. */
    private static void checkBesideIndex(
            int chunk, long offset, long size, long indexFrom, long indexTo) throws CodecException {
        boolean overlaps = size > 0 && offset < indexTo && offset + size > indexFrom;
        if (overlaps) { // Of a missing chunk, the size is negative.
            throw new CodecException(
                    "sharding_indexed",
                    "inner chunk "
                            + chunk
                            + " at offset "
                            + offset
                            + ", size "
                            + size
                            + ", overlaps the shard's index, which takes the bytes from "
                            + indexFrom
                            + " to "
                            + indexTo);
        }
    }

    /** {@return the memory that the rows take, in bytes} */
    public long byteSize() {
        return (long) rows.length * Long.BYTES;
    }

    /**
     * {@return whether an inner chunk was ever written}
     *
     * @param chunk its number in C order
     */
    public boolean isPresent(int chunk) {
        return rows[2 * chunk] != MISSING || rows[2 * chunk + 1] != MISSING;
    }

    /**
     * {@return where a written chunk begins, in bytes from the start of the shard}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long offset(int chunk) {
        return rows[2 * chunk];
    }

    /**
     * {@return the encoded size of a written chunk in bytes}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long size(int chunk) {
        return rows[2 * chunk + 1];
    }
}
