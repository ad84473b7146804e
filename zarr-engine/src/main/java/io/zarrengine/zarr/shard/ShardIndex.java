package io.zarrengine.zarr.shard;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import java.lang.foreign.MemorySegment;

/**
 * The decoded index of one shard.
 *
 * <p>Shape: {@code (chunksPerShard, 2)}, C order, one row {@code (offset, size)} for each inner
 * chunk. Units: bytes; offsets are from the start of the shard. A row of two {@code 2^64 - 1} marks
 * an inner chunk that was never written and reads as the fill value. Immutable.
 *
 * <p>Owner: every caller that got it from {@link ShardIndexCache} or decoded it, until that caller
 * closes it. The last close frees its memory. Threads: any.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public final class ShardIndex implements AutoCloseable {
    private static final long MISSING = -1L; // 2^64 - 1, as a signed long

    private final MemorySegment rows; // longs: offset of chunk i at 2i, its size at 2i + 1
    private final Runnable free;
    private final UseCount owners = new UseCount("the index of a shard");

    private ShardIndex(MemorySegment rows, Runnable free) {
        this.rows = rows;
        this.free = free;
    }

    /**
     * Decodes and checks an index, on the heap.
     *
     * @param codec the codec of the stored index
     * @param encoded the stored index, with its checksum if it has one; copied
     * @param shardBytes size of the whole shard; every inner chunk must be inside it
     * @return the index
     * @throws CodecException if the checksum does not match, or if a row reaches outside the shard
     *     or into the index; the message names the row
     */
    public static ShardIndex decode(ShardIndexCodec codec, MemorySegment encoded, long shardBytes)
            throws CodecException {
        long[] rows = new long[Math.toIntExact(rowBytes(codec, encoded) / Long.BYTES)];
        return decode(codec, encoded, shardBytes, MemorySegment.ofArray(rows), () -> {});
    }

    /** Returns the size of a decoded index in bytes. */
    static long rowBytes(ShardIndexCodec codec, MemorySegment encoded) {
        return encoded.byteSize() - codec.encodedBytes(0);
    }

    /** Decodes to {@code rows}, of {@link #rowBytes}. {@code free} runs after the last close. */
    static ShardIndex decode(
            ShardIndexCodec codec,
            MemorySegment encoded,
            long shardBytes,
            MemorySegment rows,
            Runnable free)
            throws CodecException {
        codec.decode(encoded, rows);
        long count = rows.byteSize() / Long.BYTES;
        long indexFrom = codec.atStart() ? 0 : shardBytes - encoded.byteSize();
        long indexTo = indexFrom + encoded.byteSize();
        for (long i = 0; i < count; i += 2) {
            long offset = rows.getAtIndex(JAVA_LONG, i);
            long size = rows.getAtIndex(JAVA_LONG, i + 1);
            checkRow(i / 2, offset, size, shardBytes);
            checkBesideIndex(i / 2, offset, size, indexFrom, indexTo);
        }
        return new ShardIndex(rows, free);
    }

    /**
     * Adds an owner.
     *
     * @throws IllegalStateException if the last owner has closed it
     */
    public void retain() {
        owners.add();
    }

    /**
     * Adds an owner.
     *
     * @return whether it was added: false if the last owner has closed the index
     */
    boolean tryRetain() {
        return owners.tryAdd();
    }

    /**
     * Removes an owner.
     *
     * @throws IllegalStateException if no owner is left
     */
    @Override
    public void close() {
        if (owners.removeIsLast()) {
            free.run();
        }
    }

    private static void checkRow(long chunk, long offset, long size, long shardBytes)
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

    /**
     * Checks that an inner chunk does not overlap the index. Inner chunks may overlap each other.
     */
    private static void checkBesideIndex(
            long chunk, long offset, long size, long indexFrom, long indexTo)
            throws CodecException {
        boolean overlaps = size > 0 && offset < indexTo && offset + size > indexFrom;
        if (overlaps) { // The size of a missing inner chunk is negative.
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

    /** {@return the size of the rows in bytes} */
    public long byteSize() {
        return rows.byteSize();
    }

    /**
     * {@return whether an inner chunk was written}
     *
     * @param chunk its number in C order
     */
    public boolean isPresent(int chunk) {
        return offset(chunk) != MISSING || size(chunk) != MISSING;
    }

    /**
     * {@return the offset of a written inner chunk, in bytes from the start of the shard}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long offset(int chunk) {
        return rows.getAtIndex(JAVA_LONG, 2L * chunk);
    }

    /**
     * {@return the encoded size of a written inner chunk, in bytes}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long size(int chunk) {
        return rows.getAtIndex(JAVA_LONG, 2L * chunk + 1);
    }
}
